// SPDX-License-Identifier: MIT
package import GNSS
import GPSIO
import GPSIntegrity
package import GPSReceivers
import Glibc

/// The options for combining several receivers into one source.
package struct VoteArguments: Sendable {
    /// The explanation of the options for `--help`.
    package static let help = """
        --vote compares the positions of two to eight receivers in one vehicle. The largest group that \
        agrees wins, and its most accurate member is passed on, unchanged. A receiver may be given as NAME=SOURCE; \
        --at NAME=X,Y is the position of its antenna in metres towards the bow and to starboard, measured from the \
        same point for all antennas.
        """

    package static let options: [CommandOption<VoteArguments>] = [
        .init(
            "vote", help: "Compare the receivers, and pass on the most accurate of those that agree"
        ) { $0.isActive = true },
        .init(
            "at", value: "NAME=X,Y",
            help: "The position of a receiver's antenna, in metres towards the bow and to starboard"
        ) { try $0.addAntenna($1) },
    ]

    /// Whether the receivers are combined into one source.
    package var isActive = false
    private var antennas: [(name: String, antenna: LeverArm)] = []

    /// Creates the default options: each receiver is read separately.
    package init() {}

    /// Parses and adds the position of an antenna, `NAME=X,Y`: the receiver's name, and the metres
    /// towards the bow and to starboard. Throws a `UsageError` for other text.
    private mutating func addAntenna(_ text: String) throws {
        let sign = text.lastIndex(of: "=") ?? text.startIndex
        let name = String(text[..<sign])
        let numbers = text[sign...].dropFirst().split(
            separator: ",", omittingEmptySubsequences: false)
        guard !name.isEmpty, numbers.count == 2 else {
            throw UsageError(
                "not the position of an antenna: '\(text)' (expected NAME=X,Y: a receiver's name, "
                    + "then the metres towards the bow and to starboard, from the same point for "
                    + "all antennas, such as gps1=3.2,-0.5; negative numbers are towards the stern "
                    + "and to port)")
        }
        guard !antennas.contains(where: { $0.name == name }) else {
            throw UsageError("--at names '\(name)' twice")
        }
        let antenna = LeverArm(
            forward: try metres(numbers[0], "distance towards the bow"),
            right: try metres(numbers[1], "distance to starboard"))
        antennas.append((name, antenna))
    }

    private func metres(_ text: Substring, _ name: String) throws -> Double {
        try LengthArgument.metres(text, name, in: -1000...1000)
    }

    /// Parses the sources. With `--vote`, returns a single source that combines them.
    package func sources(
        _ words: [String], _ parse: ([String]) throws -> [any DeviceSource]
    ) throws -> [any DeviceSource] {
        guard isActive else {
            if let first = antennas.first { throw UsageError("--at \(first.name)=… needs --vote") }
            return try parse(words)
        }
        var rest = antennas
        let members = try Self.members(words, for: "--vote compares", parse).map { named in
            let index = rest.firstIndex { [named.member.name, named.text].contains($0.name) }
            var member = named.member
            member.antenna = index.map { rest.remove(at: $0).antenna }
            return member
        }
        if let unknown = rest.first {
            throw UsageError.unknown("receiver", unknown.name, known: members.map(\.name))
        }
        return [ConsensusSource(members)]
    }

    /// Parses several sources with optional names, such as `bow=/dev/ttyUSB0`. Each returned `text`
    /// is the source without its name.
    package static func members(
        _ words: [String], for purpose: String, _ parse: ([String]) throws -> [any DeviceSource]
    ) throws -> [(member: ConsensusSource.Member, text: String)] {
        let counts = 2...ReceiverVote.maximumCount
        guard counts.contains(words.count) else {
            throw UsageError(
                "\(purpose) \(counts.lowerBound) to \(counts.upperBound) receivers, not \(words.count)"
            )
        }
        let named = words.map(split)
        var members: [(member: ConsensusSource.Member, text: String)] = []
        for ((name, text), source) in zip(named, try parse(named.map(\.source))) {
            let shown = name ?? shown(source)
            guard !members.contains(where: { $0.member.name == shown }) else {
                throw UsageError(
                    "two receivers have the name '\(shown)': give one of them another name, as in "
                        + "NAME=SOURCE")
            }
            guard !members.contains(where: { isSame($0.member.source, source) }) else {
                throw UsageError("unexpected argument '\(text)': this source was already given")
            }
            members.append((ConsensusSource.Member(source, name: shown), text))
        }
        return members
    }

    /// Returns whether two sources are the same, because a receiver must not confirm itself. Servers
    /// are compared by their names, but all names of this machine's loopback interface are equal.
    private static func isSame(_ source: any DeviceSource, _ other: any DeviceSource) -> Bool {
        if source.identity == other.identity { return true }
        return source.endpoint != nil && comparedName(source) == comparedName(other)
    }

    /// Returns the name of a source, with `localhost` instead of a loopback address.
    private static func comparedName(_ source: any DeviceSource) -> String {
        guard let server = source.endpoint, ["127.0.0.1", "::1"].contains(server.host) else {
            return source.name
        }
        return source.name.replacing(
            SocketAddress.text(server.host, server.port),
            with: SocketAddress.text("localhost", server.port))
    }

    /// Splits `bow=/dev/ttyUSB0` into name and source. The name is `nil` if it is omitted.
    private static func split(_ word: String) -> (name: String?, source: String) {
        guard let sign = word.firstIndex(of: "="), sign != word.startIndex,
            word[..<sign].allSatisfy({
                $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0))
            })
        else { return (nil, word) }
        return (String(word[..<sign]), String(word[word.index(after: sign)...]))
    }

    /// Returns the name of a source for display. For a recording, only the file's name is shown,
    /// because its folder may be private.
    private static func shown(_ source: any DeviceSource) -> String {
        guard source.origin == .replay else { return source.name }
        return source.name.split(separator: "/").last.map(String.init) ?? source.name
    }
}

/// The options for integrity alarms.
package struct AlarmArguments: Sendable {
    /// Whether positions are marked or dropped during an alarm.
    package var policy = AlarmPolicy.mark
    /// The command to run when an alarm begins or ends; `nil` for none.
    package var command: String?

    package static let options: [CommandOption<AlarmArguments>] = [
        .init(
            "on-alarm", value: "mark|drop", choices: AlarmPolicy.allCases.map(\.rawValue),
            help: "During an integrity alarm, mark the positions (default) or drop them"
        ) {
            guard let policy = AlarmPolicy(rawValue: $1) else {
                throw UsageError("not a value for --on-alarm: '\($1)' (expected mark or drop)")
            }
            $0.policy = policy
        },
        .init(
            "alarm-command", value: "COMMAND",
            help:
                "Run COMMAND with the shell when an alarm begins or ends; $1 is the state, $2 the device, "
                + "$3 the reasons, $4 the kind (integrity or anchor)"
        ) { $0.command = $1 },
    ]

    /// Creates the default options.
    package init() {}

    /// Applies the options to this process's receivers while `body` runs.
    package func whileActive(_ body: () async throws -> Void) async throws {
        ReceiverPool.shared.alarmPolicy = policy
        guard let command else { return try await body() }
        try await AlarmCommand.run(command, while: body)
    }
}

private enum AnchorArgument {
    /// Parses `30m`, `100ft` or `30m@LAT,LON`. Without coordinates, the anchor is where the
    /// receiver comes to rest.
    ///
    /// - Throws: `UsageError` for other text, or if the radius is not between 1 m and 10 km.
    static func circle(_ text: String) throws -> AnchorCircle {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let radius = LengthArgument.metres(parts[0]), 1...10_000 ~= radius else {
            throw UsageError(
                "not a circle: '\(text)' (expected a radius of 1 m to 10 km, such as 30m or 100ft, "
                    + "and optionally @ and the anchor's position, as in 30m@48.2,16.37)"
            )
        }
        return AnchorCircle(
            radius: radius,
            anchor: parts.count > 1 ? try CoordinateArgument.coordinate(String(parts[1])) : nil)
    }
}

extension CommandOption {
    /// Returns the option `--anchor`. `set` stores the circle in the command.
    package static func anchor(
        _ set: @escaping @Sendable (inout C, AnchorCircle) -> Void
    ) -> CommandOption {
        CommandOption(
            "anchor", value: "RADIUS",
            help:
                "Raise an alarm when the receiver leaves a circle: 30m around the place where it comes to "
                + "rest, or 30m@LAT,LON"
        ) { set(&$0, try AnchorArgument.circle($1)) }.once()
    }
}

/// A duration on the command line: seconds, or numbers with units, such as `90`, `1.5h` and
/// `1h30min`.
package enum DurationArgument {
    private static let units: [String: Double] = [
        "ms": 0.001, "s": 1, "sec": 1, "min": 60, "m": 60, "h": 3600, "d": 86_400,
    ]

    /// Parses a duration in seconds. `name` is the option's name for the error.
    ///
    /// - Throws: `UsageError` if `text` is not a duration within `range`.
    package static func seconds(
        _ text: String, _ name: String, in range: ClosedRange<Double> = 0.001...1e9
    ) throws -> Double {
        guard let seconds = sum(text), range.contains(seconds) else {
            let bounds = "\(Number.short(range.lowerBound)) to \(Number.short(range.upperBound))"
            throw UsageError(
                "\(name) '\(text)' is not a time (expected \(bounds) seconds, such as 90, "
                    + "15min or 1h30min)")
        }
        return seconds
    }

    private static func sum(_ text: String) -> Double? {
        var rest = text.filter { $0 != " " }[...]
        if let seconds = Double(rest) { return seconds }
        var sum = 0.0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            guard let number = Double(digits), let factor = units[String(unit)] else { return nil }
            sum += number * factor
        }
        return sum
    }
}

/// The options for a configuration file and for messages, of commands that run as a service.
package struct ServiceArguments: Sendable {
    /// The path of the configuration file; `nil` if none is used.
    var file: String?
    /// Whether the command only checks its configuration file, instead of running.
    package var isCheck = false
    /// The least important level of messages that are printed.
    var level = MessageLevel.info
    /// The arguments on the command line.
    var given: [Argument] = []
    /// The configuration file that was read; `nil` if none is used.
    var configuration: ConfigurationFile?

    /// The options `--config`, `--check-config`, `--quiet` and `--log-level`.
    package static let options: [CommandOption<ServiceArguments>] = [
        .init(
            "config", value: "FILE",
            help: "Read options from FILE (TOML); those of the command line override them"
        ) { $0.file = $1 }.once().onCommandLine(),
        .init("check-config", help: "Check the file given with --config, then exit") {
            $0.isCheck = true
        }.onCommandLine(),
        .init("quiet", "q", help: "Print only errors and warnings") { $0.level = .warning },
        .init(
            "log-level", value: "LEVEL", choices: MessageLevel.allCases.map(\.rawValue),
            help: "Print messages from this level up: error, warning or info (default)"
        ) { $0.level = try Choice.of($1, "level") },
    ]

    /// Creates the default options: no file, and all messages.
    package init() {}

    /// Throws a `DeviceError` if a recording among the sources does not exist or a host is unknown.
    /// A receiver that is not plugged in is no error. Blocks until name servers answer.
    package static func checkMachine(for sources: [any DeviceSource]) throws {
        for source in sources.flatMap(\.parts) {
            if source.kind == .file, source.origin == .replay,
                access(FileName.native(source.name), F_OK) != 0
            {
                throw DeviceError.opening(source.name, errno: errno)
            }
            if let endpoint = source.endpoint {
                try checkHost(of: endpoint, named: source.name)
            }
        }
    }

    /// Throws a `DeviceError` that contains `name` if a server's host is unknown. Blocks until a
    /// name server answers.
    package static func checkHost(of endpoint: NetworkEndpoint, named name: String) throws {
        try HostLookup(host: endpoint.host, port: endpoint.port, name: name).check(passive: false)
    }
}
