// SPDX-License-Identifier: MIT
package import GNSS
package import GPSConfiguration
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
            "vote", \.isActive,
            "Compare the receivers, and pass on the most accurate of those that agree"),
        .init(
            "at", value: "NAME=X,Y",
            "The position of a receiver's antenna, in metres towards the bow and to starboard"
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
        let metres = ArgumentForm.metres(-1000...1000)
        let antenna = LeverArm(
            forward: try metres.parse(String(numbers[0]), "distance towards the bow"),
            right: try metres.parse(String(numbers[1]), "distance to starboard"))
        antennas.append((name, antenna))
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
    package static func split(_ word: String) -> (name: String?, source: String) {
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
            "on-alarm", \.policy, .choice("mark|drop", called: "value for --on-alarm"),
            "During an integrity alarm, mark the positions (default) or drop them"),
        .init(
            "alarm-command", \.command, .text("COMMAND"),
            "Run COMMAND with the shell when an alarm begins or ends; $1 is the state, $2 the device, "
                + "$3 the reasons, $4 the kind (integrity or anchor)"),
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
        guard let radius = LengthArgument.metres(String(parts[0])), 1...10_000 ~= radius else {
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
    /// Returns the option `--anchor`. `circle` is the property that stores the circle.
    package static func anchor(
        _ circle: any WritableKeyPath<C, AnchorCircle?> & Sendable
    ) -> CommandOption {
        CommandOption(
            "anchor", circle, .init("RADIUS", AnchorArgument.circle),
            "Raise an alarm when the receiver leaves a circle: 30m around the place where it comes to "
                + "rest, or 30m@LAT,LON"
        ).once()
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
            "config", \.file, .text("FILE"),
            "Read options from FILE (TOML); those of the command line override them"
        ).once().onCommandLine(),
        .init("check-config", \.isCheck, "Check the file given with --config, then exit")
            .onCommandLine(),
        .init("quiet", letter: "q", "Print only errors and warnings") { owner, _ in
            owner.level = .warning
        },
        .init(
            "log-level", \.level, .choice("LEVEL"),
            "Print messages from this level up: error, warning or info (default)"),
    ]

    /// Creates the default options: no file, and all messages.
    package init() {}

    /// Throws a `DeviceError` if a source is a recording that does not exist or its host is unknown.
    /// A receiver that is not plugged in is no error. Blocks until a name server answers.
    package static func checkMachine(for source: any DeviceSource) throws {
        if source.kind == .file, source.origin == .replay,
            access(FileName.native(source.name), F_OK) != 0
        {
            throw DeviceError.opening(source.name, errno: errno)
        }
        if let endpoint = source.endpoint { try checkHost(of: endpoint, named: source.name) }
    }

    /// Throws a `DeviceError` that contains `name` if a server's host is unknown. Blocks until a
    /// name server answers.
    package static func checkHost(of endpoint: NetworkEndpoint, named name: String) throws {
        try HostLookup(host: endpoint.host, port: endpoint.port, name: name).check(passive: false)
    }
}

/// The options `--warm-start` and `--assist`, which shorten the time to first fix.
package struct WarmStartArguments: Sendable {
    /// The explanation of the options for `--help`.
    package static let help = """
        --warm-start stores the navigation data of a u-blox receiver (M8 or later) every hour and at the end, \
        and sends it back when the receiver is opened without a fix. --assist does the same, also with the ephemerides \
        of a RINEX navigation file or of the members of a fleet that share theirs (nats://HOST/FLEET).
        """

    package static let options: [CommandOption<WarmStartArguments>] = [
        .init(
            "warm-start", \.isRequested,
            "Shorten the time to first fix with navigation data stored in an earlier run"),
        .init(
            "assist", \.assist, .assistance,
            "As --warm-start, also with the ephemerides of a RINEX navigation file or of a fleet (nats://HOST/FLEET)"
        ),
    ]

    private var isRequested = false
    package private(set) var assist: AssistanceSource?

    /// Whether one of the options was given.
    package var isActive: Bool { isRequested || assist != nil }

    /// Creates the default options: no warm start.
    package init() {}

    /// Throws a `UsageError` if an option was given but no source is a serial line.
    package func check(_ sources: [any DeviceSource]) throws {
        guard isActive, sources.serialLines.isEmpty else { return }
        let option = isRequested ? "--warm-start" : "--assist"
        throw UsageError("\(option) is for a receiver on a serial line, not for \(sources[0].name)")
    }

    /// A collection of the ephemerides of `--assist`.
    package func ephemerides() -> OtherEphemerides {
        OtherEphemerides(from: assist, report: { StandardError.print($0) })
    }

    /// Runs warm starts for the receivers on serial lines while `body` reads the sources. `others`
    /// are ephemerides that do not come from receivers.
    package func whileActive(
        _ sources: [any DeviceSource], _ others: OtherEphemerides?,
        _ body: () async throws -> Void
    ) async throws {
        guard isActive else { return try await body() }
        try check(sources)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for source in sources {
                for line in [source].serialLines {
                    let session = ReceiverPool.shared.session(
                        for: line, isPart: source.parts.count > 1)
                    group.addTask {
                        await WarmStart(session, others: others) { StandardError.print($0) }.run()
                    }
                }
            }
            defer { group.cancelAll() }
            try await body()
        }
    }
}

extension ArgumentForm<AssistanceSource> {
    /// A file with ephemerides, or a fleet.
    package static var assistance: ArgumentForm {
        ArgumentForm("SOURCE") { text in
            guard let source = AssistanceSource(text) else {
                // An address may contain a password.
                throw UsageError(
                    "not a source of ephemerides: '\(text.prefix { $0 != "/" })…' (expected a RINEX "
                        + "navigation file, or nats://HOST/FLEET, without a password)")
            }
            return source
        }
    }
}

extension [any DeviceSource] {
    /// The sources that are serial lines, and those that others combine.
    package var serialLines: [any DeviceSource] {
        flatMap(\.parts).filter { $0.capabilities.contains(.serialLine) }
    }
}
