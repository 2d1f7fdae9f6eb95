// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSIntegrity
package import GPSReceivers

/// The options for combining several receivers into one source.
package struct VoteArguments: Sendable {
    /// The explanation of the options for `--help`.
    package static let help = """
        --vote compares the positions of two to eight receivers in one vehicle. The largest group that \
        agrees wins, and its most accurate member is passed on, unchanged. A receiver may be given as NAME=SOURCE; \
        --at NAME=X,Y is the position of its antenna in metres towards the bow and to starboard, measured from the \
        same point for all antennas.
        """

    /// The options `--vote` and `--at`.
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
    mutating func addAntenna(_ text: String) throws {
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
