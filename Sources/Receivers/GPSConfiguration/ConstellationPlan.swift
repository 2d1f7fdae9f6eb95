// SPDX-License-Identifier: MIT
package import GNSS

/// Assigns a pair of constellations to each of several receivers in one vehicle.
///
/// False signals of one constellation then affect as few receivers as possible, so that a vote
/// detects them. A single constellation would disable u-blox's spoofing detection.
package struct ConstellationPlan: Sendable {
    /// A receiver of the plan.
    package struct Member: Sendable {
        /// The receiver's name for the user.
        package var name: String
        /// The receiver's identity and the constellations that it supports.
        package var state: ReceiverState

        /// Creates a member of the plan.
        package init(name: String, state: ReceiverState) {
            (self.name, self.state) = (name, state)
        }
    }

    /// The constellations with about a dozen satellites in view; the regional ones have a few.
    static let global: Set<Constellation> = [.gps, .glonass, .galileo, .beiDou]

    /// Two constellations. The first one has more satellites or better orbits.
    private typealias Pair = (first: Constellation, second: Constellation)

    /// All pairs, in order of preference.
    private static let pairs: [Pair] = [
        (.gps, .galileo), (.gps, .glonass), (.gps, .beiDou), (.galileo, .beiDou),
        (.galileo, .glonass), (.glonass, .beiDou),
    ]

    /// The receivers, in the order in which they were given.
    package let members: [Member]
    private let chosen: [Pair]

    /// Chooses a pair of constellations for each receiver. Each pair is used at most once, if there
    /// are enough pairs. Among such choices, each constellation is used by as few receivers as
    /// possible.
    ///
    /// - Throws: `ConfigurationError` if a receiver cannot receive two of the constellations at
    ///   once.
    package init(_ members: [Member]) throws(ConfigurationError) {
        var choices: [[Int]] = []
        for member in members { choices.append(try Self.choices(member)) }
        var search = PairSearch(choices: choices, pairs: Self.pairs.map { [$0.first, $0.second] })
        self.members = members
        chosen = search.result().map { Self.pairs[$0] }
    }

    private static func choices(_ member: Member) throws(ConfigurationError) -> [Int] {
        let state = member.state
        let supported = state.supportedConstellations ?? []
        let isPairPossible = state.maximumConstellations ?? 2 >= 2
        let choices = pairs.indices.filter {
            isPairPossible && supported.contains(pairs[$0].first)
                && supported.contains(pairs[$0].second)
        }
        guard choices.isEmpty else { return choices }
        throw ConfigurationError(
            .unsupported, chip: "\(member.name): \(state.identity)",
            state.supportedConstellations == nil
                ? "does not report which constellations it can receive"
                : "cannot receive two of GPS, Galileo, GLONASS and BeiDou at once",
            remedy: "leave this receiver out")
    }

    /// Returns the constellations for the receiver with this index. With GPS, SBAS is included if
    /// it is on, and QZSS, which shares GPS's signals, if it is supported.
    package func constellations(of index: Int) -> Set<Constellation> {
        let state = members[index].state
        var constellations: Set = [chosen[index].first, chosen[index].second]
        guard constellations.contains(.gps) else { return constellations }
        if state.configuration.constellations?.contains(.sbas) == true {
            constellations.insert(.sbas)
        }
        if state.supportedConstellations?.contains(.qzss) == true { constellations.insert(.qzss) }
        return constellations
    }

    /// The plan as one line per receiver, such as `bow: GPS and GLONASS (u-blox M8)`.
    package var lines: [String] {
        zip(members, chosen).map { member, pair in
            "\(member.name): \(pair.first.name) and \(pair.second.name) (\(member.state.identity))"
        }
    }

    /// Warnings about pairs that several receivers share, and about constellations that all
    /// receivers use.
    package var warnings: [String] {
        var warnings: [String] = []
        for pair in Self.pairs {
            let names = zip(members, chosen).filter { $0.1 == pair }.map(\.0.name)
            guard names.count > 1 else { continue }
            warnings.append(
                "\(names.joined(separator: " and ")) have the same pair of constellations: "
                    + "\(pair.first.name) and \(pair.second.name)")
        }
        for constellation in Constellation.allCases
        where chosen.allSatisfy({ $0.first == constellation || $0.second == constellation }) {
            warnings.append(
                "all receivers use \(constellation.name): "
                    + "false signals of \(constellation.name) can deceive all of them")
        }
        return warnings
    }
}

/// Searches for the assignment of pairs of constellations to receivers with the lowest `Cost`.
private struct PairSearch {
    /// The cost of an assignment of pairs to receivers. Costs are compared by `repeated`, the
    /// number of receivers whose pair is already used, then by `squares`, the sum of the squared
    /// numbers of receivers per constellation, then by `ranks`, the sum of the pairs' ranks in the
    /// order of preference.
    private struct Cost: Comparable {
        var repeated = 0
        var squares = 0
        var ranks = 0

        static func < (a: Cost, b: Cost) -> Bool {
            (a.repeated, a.squares, a.ranks) < (b.repeated, b.squares, b.ranks)
        }
    }

    private let choices: [[Int]]
    private let pairs: [[Constellation]]
    private var path: [Int] = []
    private var best: (path: [Int], cost: Cost)?

    init(choices: [[Int]], pairs: [[Constellation]]) {
        (self.choices, self.pairs) = (choices, pairs)
    }

    /// Returns the index, in `pairs`, of the pair that each receiver uses.
    mutating func result() -> [Int] {
        search(Cost())
        return best?.path ?? []
    }

    private mutating func search(_ cost: Cost) {
        // The cost never decreases when another receiver's pair is added.
        if let best, cost >= best.cost { return }
        guard path.count < choices.count else {
            best = (path, cost)
            return
        }
        // Receivers with the same choices are interchangeable, so one order is sufficient.
        let isLikeLast = path.count > 0 && choices[path.count] == choices[path.count - 1]
        let first = isLikeLast ? path[path.count - 1] : 0
        for choice in choices[path.count] where choice >= first {
            var next = cost
            next.ranks += choice
            if path.contains(choice) { next.repeated += 1 }
            for constellation in pairs[choice] {
                next.squares += 2 * path.count { pairs[$0].contains(constellation) } + 1
            }
            path.append(choice)
            search(next)
            path.removeLast()
        }
    }
}
