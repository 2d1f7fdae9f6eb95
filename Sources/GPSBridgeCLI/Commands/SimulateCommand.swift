// SPDX-License-Identifier: MIT
import Devices
import SimulatedDevices

/// Plugs in a receiver that is not there.
struct SimulateCommand: Command {
    static let name = "simulate"
    static let summary = "Be a receiver on a tty, for programs that read one."
    static let words = ""
    static let details = "Prints the tty's name and sends until it is interrupted."

    static let options: [CommandOption<SimulateCommand>] = [
        .init("link", value: "PATH", help: "Give the tty a name of its own") { $0.link = $1 },
        .init("rate", value: "HZ", help: "Epochs per second (1)") {
            try $0.configuration.set("rate", $1)
        },
        .init("radius", value: "METRES", help: "Radius of the circle it drives (100)") {
            try $0.configuration.set("radius", $1)
        },
        .init("speed", value: "M/S", help: "Speed (10)") {
            try $0.configuration.set("speed", $1)
        },
        .init("seed", value: "N", help: "The same seed sends the same") {
            try $0.configuration.set("seed", $1)
        },
    ]

    private var link: String?
    private var configuration = SimulatedReceiver.Configuration()

    init() {}

    func run() async throws {
        let terminal = try PseudoTerminal(link: link)
        defer { terminal.close() }
        let name = link ?? terminal.path
        try StandardOutput().write(Array("\(name)\n".utf8))
        StandardError.say("a simulated receiver: read it with `gpsbridge monitor \(name)`")
        await terminal.talk(configuration)
    }
}
