// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
package import GPSReceivers
import SimulatedDevices

/// The options that read several receivers as one.
package struct VoteArguments: Sendable {
    /// What `--help` says about them.
    package static let help = """
        --vote compares the positions of two to eight receivers in one vehicle. The largest group that \
        agrees wins, and its most accurate member is passed on, unchanged. A receiver may be given as NAME=SOURCE; \
        --at NAME=X,Y is the place of its antenna: metres to the bow and to starboard, from any point that all are measured \
        from.
        """

    /// Whether the receivers are one source.
    package var isActive = false
    private var places: [(name: String, antenna: LeverArm)] = []

    /// Creates the defaults: each receiver for itself.
    package init() {}

    /// Adds `NAME=X,Y`.
    mutating func addPlace(_ text: String) throws {
        guard let sign = text.lastIndex(of: "="), sign != text.startIndex else {
            throw UsageError("not the place of an antenna: '\(text)' (expected NAME=3.2,0)")
        }
        let numbers = text[text.index(after: sign)...].split(
            separator: ",", omittingEmptySubsequences: false)
        guard numbers.count == 2 else {
            throw UsageError("not the place of an antenna: '\(text)' (expected NAME=3.2,0)")
        }
        let name = String(text[..<sign])
        guard !places.contains(where: { $0.name == name }) else {
            throw UsageError("--at names '\(name)' twice")
        }
        let antenna = LeverArm(
            forward: try Number.of(String(numbers[0]), "metres to the bow", in: -1000...1000),
            right: try Number.of(String(numbers[1]), "metres to starboard", in: -1000...1000))
        places.append((name, antenna))
    }

    /// Parses the sources; with `--vote`, returns the one that they make together.
    package func sources(
        _ words: [String], _ parse: ([String]) throws -> [any DeviceSource]
    ) throws -> [any DeviceSource] {
        guard isActive else {
            if let place = places.first { throw UsageError("--at \(place.name)=… needs --vote") }
            return try parse(words)
        }
        let named = words.map(Self.split)
        let counts = 2...ReceiverVote.maximumCount
        guard counts.contains(words.count) else {
            throw UsageError(
                "--vote compares \(counts.lowerBound) to \(counts.upperBound) receivers, not \(words.count)"
            )
        }
        var rest = places
        var members: [ConsensusSource.Member] = []
        for ((name, text), source) in zip(named, try parse(named.map(\.source))) {
            let shown = name ?? Self.shown(source)
            guard !members.contains(where: { $0.name == shown }) else {
                throw UsageError("two receivers have the name '\(shown)': write NAME=SOURCE")
            }
            guard !members.contains(where: { $0.source.identity == source.identity }) else {
                throw UsageError("unexpected argument '\(text)': this source was already given")
            }
            let place = rest.firstIndex { [name, text].contains($0.name) }
            let antenna = place.map { rest.remove(at: $0).antenna }
            members.append(ConsensusSource.Member(source, name: shown, antenna: antenna))
        }
        if let unknown = rest.first {
            throw UsageError.unknown("receiver", unknown.name, known: members.map(\.name))
        }
        return [ConsensusSource(members)]
    }

    /// Splits `bow=/dev/ttyUSB0` into name and source; the name is optional.
    private static func split(_ word: String) -> (name: String?, source: String) {
        guard let sign = word.firstIndex(of: "="), sign != word.startIndex,
            word[..<sign].allSatisfy({
                $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0))
            })
        else { return (nil, word) }
        return (String(word[..<sign]), String(word[word.index(after: sign)...]))
    }

    /// The name of a source; the folder of a recording stays private.
    private static func shown(_ source: any DeviceSource) -> String {
        guard source.origin == .replay else { return source.name }
        return source.name.split(separator: "/").last.map(String.init) ?? source.name
    }
}

extension CommandOption {
    /// `--vote` and `--at`.
    package static func vote(
        _ vote: any WritableKeyPath<C, VoteArguments> & Sendable
    ) -> [CommandOption] {
        [
            CommandOption(
                "vote",
                help: "Compare the receivers, and pass on the most accurate of those that agree"
            ) { command, _ in command[keyPath: vote].isActive = true },
            CommandOption(
                "at", value: "NAME=X,Y",
                help: "Place of a receiver's antenna: metres to the bow and to starboard"
            ) { try $0[keyPath: vote].addPlace($1) },
        ]
    }
}
