// SPDX-License-Identifier: MIT
import Devices
import GPSBridge

/// Shows where the receiver is, as it tells.
struct MonitorCommand: Command {
    static let name = "monitor"
    static let summary = "Show where the receiver is, as it tells."
    static let words = "[SOURCE]"
    static let details = SourceArgument.help

    static let options: [CommandOption<MonitorCommand>] = [
        .init(
            "format", "f", value: "FORMAT",
            help: "screen (on a terminal), text (one line per fix), json (gpsd's) or nmea"
        ) { command, name in
            guard let format = MonitorFormat(rawValue: name) else {
                let known = MonitorFormat.allCases.map(\.rawValue)
                throw UsageError.unknown("format", name, known: known)
            }
            command.format = format
        },
        .init("count", "n", value: "N", help: "End after N fixes; with nmea after N sentences") {
            $0.count = try Number.count($1, "count")
        },
        .init("duration", "d", value: "SECONDS", help: "End after that time") {
            $0.duration = try Number.of($1, "duration", in: 0.001...1e9)
        },
        .init("speed", value: "X", help: "Replay a recording X times faster") {
            $0.speed = try Number.of($1, "speed", in: 0.001...1e6)
        },
        .init("baud", "b", value: "RATE", help: "The receiver's baud rate (9600)") {
            let rate = Int($1).flatMap { BaudRate(rawValue: $0) }
            guard let rate else {
                throw UsageError("baud rate '\($1)' is not a whole number from 1 to 4000000")
            }
            $0.baudRate = rate
        },
    ]

    private var source: String?
    private var format: MonitorFormat?
    private var count: Int?
    private var duration: Double?
    private var speed: Double?
    private var baudRate = BaudRate.default

    init() {}

    mutating func take(_ word: String) throws {
        guard source == nil else { throw UsageError("'\(word)' is one word too many") }
        source = word
    }

    func run() async throws {
        if let duration { Signals.end(after: duration) }
        if source == nil, speed != nil { throw SourceArgument.speedError("a receiver") }
        let source: any DeviceSource =
            try self.source.map {
                try SourceArgument.source($0, baudRate: baudRate, speed: speed)
            } ?? AnyReceiverSource(baudRate: baudRate)
        try await Monitor(
            source: source, isWaitedFor: self.source == nil,
            canPause: SourceArgument.canPause(source), format: format ?? .text, count: count
        ).run()
    }
}
