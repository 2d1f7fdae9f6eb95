// SPDX-License-Identifier: MIT
import GNSS
import GNSSAuthentication
import GPSIO
import GPSReceivers
import Glibc
import SimulatedDevices

/// Simulates a receiver on a tty.
struct SimulateCommand: Command {
    static let name = "simulate"
    static let summary = "Simulate a receiver on a tty, for programs that read receivers."
    static let argumentSyntax = ""

    static var details: String {
        let faults = FaultKeyword.all.map { word in
            (word.value.isEmpty ? word.name : "\(word.name) \(word.value)", word.meaning)
        }
        return """
            Prints the tty's name, sends until it is interrupted, and marks everything it sends as \
            simulated. Without --at, the receiver drives in a circle in Vienna; with --at, it \
            stays at that position.

            Examples:
              gpsbridge simulate --link /tmp/gps --rate 10
              gpsbridge simulate --personality ublox8 --at 47.07,15.44 --cold
              gpsbridge simulate --at 48.2,16.37 --line 48.1,16.6 --speed 30 --sky urban
              gpsbridge simulate --personality f9p --protocol ubx --link /tmp/gps
              gpsbridge simulate --personality f9p --protocol ubx --osnma tree.xml
              gpsbridge simulate --baud 4800 --personality sirf3 --truth truth.jsonl
              gpsbridge simulate --tcp 2950 --udp 192.168.1.255:10110
              gpsbridge simulate --fault '10s: jam for 20s' --fault '1min: unplug for 5s'
              gpsbridge simulate --fleet 1000 --help

            A fault is 'TIME: FAULT [VALUE] [for TIME]'. TIME is a number with a unit (ns, us, ms, s, min, h, d \
            or w); P is a percentage of all bits, bytes or sentences. A file of faults contains one per line, \
            and comments after #.
            \(TwoColumns.text(faults))
            """
    }

    static var manual: [ManualSection] { ManualSections.simulating }

    static let options: [CommandOption<SimulateCommand>] =
        SimulationArguments.options.stored(in: \.arguments) + placing + going + sending

    private static let placing: [CommandOption<SimulateCommand>] = [
        .init(
            "personality", letter: "p", value: "NAME",
            choices: Personality.all.map(\.name) + ["list"],
            "Simulate this receiver; 'list' shows all names"
        ) {
            guard $1 != "list" else { return $0.listsPersonalities = true }
            try $0.arguments.set("personality", $1)
        },
        .init(
            "at", value: "LAT,LON[,ALT]",
            "Stay at this position, or start from it; ALT is the altitude in metres (default: 171)"
        ) { try $0.arguments.setPlace($1) },
        .init("line", \.arguments.destination, .coordinate, "Drive straight to this position"),
        .init(
            "track", value: "FILE",
            "Follow a track: GPX, a recording, or any file that convert reads"
        ) {
            let file = $1
            $0.inputs.append(file)
            $0.arguments.track = { try TrackFile(file).trajectory(speed: $0) }
        },
        .init("cold", "Start cold: the first fix takes half a minute") { command, _ in
            command.arguments.configuration.acquisition = .cold
        },
    ]

    private static let going: [CommandOption<SimulateCommand>] = [
        .init(
            "start", \.arguments.configuration.start, .init("TIME", startTime),
            "UTC of the first epoch, such as 2026-03-21T12:00:00Z"),
        .init("accelerate", .number("X", 0.001...1e6), "Run X times as fast as real time") {
            $0.arguments.configuration.pace = .accelerated(by: $1)
        },
        .init("count", letter: "n", \.count, .count, "End after N epochs"),
        .duration(\.duration, "End after this simulated time"),
        .init("faults", value: "FILE", "Simulate the faults in FILE, one per line; see below") {
            $0.inputs.append($1)
            try $0.readFaults($1)
        },
    ]

    private static let sending: [CommandOption<SimulateCommand>] = [
        .init("link", letter: "l", \.link, .text("PATH"), "Create a symbolic link to the tty"),
        .baudRate(
            \.arguments.configuration.baudRate,
            "Send at this baud rate; programs that read at another rate receive noise"),
        .init(
            "tcp", \.server, .init("[HOST:]PORT") { try HostPort($0) },
            "Also send to clients that connect to this TCP port (default HOST: localhost)"),
        .init(
            "udp", \.datagrams, .init("HOST:PORT") { try HostPort($0, needsHost: true) },
            "Also send UDP datagrams to this address"),
        .init(
            "truth", \.truth, .text("FILE"), "Write the true positions as JSON, one line per epoch"),
    ]

    private var arguments = SimulationArguments()
    private var link: String?
    private var server: HostPort?
    private var datagrams: HostPort?
    private var truth: String?
    /// The paths of input files. They must not be overwritten.
    private var inputs: [String] = []
    private var count: Int?
    private var duration: Double?
    private var listsPersonalities = false

    private static func startTime(_ text: String) throws -> UTCTime {
        let time = try ArgumentForm.time.parse(text, "start")
        guard 1980...2079 ~= time.date.year else {
            throw UsageError(
                "not a value for --start: '\(text)' (expected a time from 1980 to 2079)")
        }
        return time
    }

    private mutating func readFaults(_ path: String) throws {
        let bytes = try TrackFile(path).bytes()
        guard bytes.allSatisfy({ $0 >= 0x20 || 0x09...0x0D ~= $0 }) else {
            throw UsageError("not a text file: \(path) (expected one fault per line)")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        do {
            arguments.configuration.faults.faults += try FaultScript(text).faults
        } catch {
            throw UsageError("\(path), \(error)")
        }
    }

    func run() async throws {
        guard !listsPersonalities else { return try listPersonalities() }
        var configuration = try arguments.configured()
        try checkNewNames(configuration.faults)
        try checkTruth()
        if let file = arguments.treeFile { configuration.testKey = try key(writingTo: file) }
        let terminal = try terminal(configuration)
        // If an output cannot be opened, all outputs are closed. Otherwise, the link to the tty
        // would remain.
        var outputs: [any SimulationOutput] = [terminal]
        do {
            if let truth { outputs.append(try TruthFile(truth)) }
            if let server {
                let listener = try SimulatedServer(host: server.host, port: server.port)
                StandardError.print("listening on TCP port \(listener.port)")
                outputs.append(listener)
            }
            if let datagrams, let host = datagrams.host {
                outputs.append(try SimulatedDatagrams(host: host, port: datagrams.port))
            }
            try announce(terminal.path ?? "", configuration)
        } catch {
            for output in outputs { output.close() }
            throw error
        }
        do {
            let simulation = Simulation(configuration, outputs: outputs)
            try await simulation.run(epochs: count, duration: duration)
        } catch let error as SimulationError where error.errno == EPIPE {
            // This happens when the program that reads the true positions closes its pipe.
        }
    }

    /// Throws a `UsageError` if `--truth` or `--osnma` would overwrite an input file, or `--truth` is
    /// `-`: standard output contains the name of the tty.
    private func checkTruth() throws {
        guard truth != "-" else {
            throw UsageError(
                "--truth cannot write to standard output, which contains the name of the tty: give "
                    + "the name of a file or a pipe")
        }
        for (option, path) in [("--truth", truth), ("--osnma", arguments.treeFile)] {
            guard let path, let file = RegularFile(path: path) else { continue }
            for input in inputs {
                let other = input == "-" ? RegularFile(STDIN_FILENO) : RegularFile(path: input)
                guard other == file else { continue }
                throw UsageError(
                    "\(option) \(path) is also an input file: give another name to \(option)")
            }
        }
    }

    /// Makes a key that signs Galileo's messages, and writes its Merkle tree to a file.
    private func key(writingTo path: String) throws -> TestKey {
        guard let key = TestKey(), let tree = key.tree(Libcrypto()) else {
            let missing = Libcrypto.missing ?? "a part of libcrypto"
            throw CommandFailure(
                "messages cannot be signed, because \(missing) is missing: install libssl3")
        }
        do throws(DraftFile.Failure) {
            try DraftFile.replace(path, with: Array(tree.utf8), mode: 0o644)
        } catch {
            let reason = IOError.reason(error.errno, writing: path)
            throw CommandFailure("cannot write \(path): \(reason)")
        }
        return key
    }

    /// Throws a `UsageError` if the fault `unplug as NAME` is used without `--link`. The new name
    /// is that of a link; the kernel chooses the name of the tty.
    private func checkNewNames(_ script: FaultScript) throws {
        guard link == nil else { return }
        for case .unplug(let name?) in script.faults.map(\.kind) {
            throw UsageError(
                "'unplug as \(name)' needs --link PATH, because \(name) is created in the folder "
                    + "of PATH")
        }
    }

    private func terminal(
        _ configuration: SimulatedReceiver.Configuration
    ) throws(DeviceError) -> SimulatedTerminal {
        try SimulatedTerminal(configuration, link: link) { path in
            StandardError.print(
                path.map { "the receiver was plugged in again as \($0)" }
                    ?? "the receiver was unplugged")
        }
    }

    private func announce(
        _ name: String, _ configuration: SimulatedReceiver.Configuration
    ) throws {
        let output = StandardOutput()
        try output.write("\(output.isTerminal ? TerminalText.safe(name) : name)\n")
        StandardError.print("simulating \(configuration.personality.summary); read it with")
        let rate = configuration.baudRate
        let (baud, speed) = (rate.map { " --baud \($0)" } ?? "", rate.map { " -s \($0)" } ?? "")
        StandardError.print("  gpsbridge monitor\(baud) \(name)")
        StandardError.print("  gpsd -N -D3\(speed) \(name)   and, in another terminal, cgps")
    }

    private func listPersonalities() throws {
        let width = Personality.all.map(\.name.count).max() ?? 0
        let lines = Personality.all.map { "\($0.name.trailing(width + 2))\($0.summary)\n" }
        try StandardOutput().write(lines.joined())
    }
}
