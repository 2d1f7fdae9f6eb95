// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

/// The 68 % radius contains the true position in 65 to 71 % of all epochs.
@Suite(.timeLimit(.generous))
struct VoteRadiusTests {
    private struct Errors {
        /// One sigma of each receiver to the north and to the east.
        var sigmas: [(north: Double, east: Double)]
        /// The fraction of the variance that is common to all receivers.
        var common: Double
        var hasCovariance = false
        /// The correlation time of the errors in seconds; 0 for errors that last one epoch.
        var duration = 0.0
        /// Whether the accuracies change by up to three times, as in streets, so that the winner changes.
        var areChanging = false
        /// The standard deviation of the factor by which receivers misjudge their accuracy for
        /// minutes.
        var misjudgement = 0.0
    }

    /// Correlated values with a standard deviation of 1.
    private struct Lasting {
        private var value = 0.0
        private let kept: Double

        init(_ duration: Double, _ random: inout SeededGenerator) {
            kept = duration > 0 ? PortableMath.exp(-1 / duration) : 0
            value = random.normal()
        }

        mutating func next(_ random: inout SeededGenerator) -> Double {
            value = kept * value + (1 - kept * kept).squareRoot() * random.normal()
            return value
        }
    }

    /// The errors of one receiver.
    private struct Source {
        var north: Lasting
        var east: Lasting
        var judgement: Lasting

        init(_ errors: Errors, _ random: inout SeededGenerator) {
            north = Lasting(errors.duration, &random)
            east = Lasting(errors.duration, &random)
            judgement = Lasting(120, &random)
        }
    }

    /// The number of epochs with a radius, and of those in which the true position is within it.
    private struct Count {
        var inside = 0
        var all = 0
        var winners: Set<Int> = []
        var share: Double { Double(inside) / Double(max(1, all)) }
    }

    private func count(_ errors: Errors, seed: UInt64, epochs: Int = 6000) -> Count {
        var random = SeededGenerator(seed: seed)
        var vote = ReceiverVote(antennas: Array(repeating: nil, count: errors.sigmas.count))
        let truth = Bench.place(0)
        let now = MonotonicInstant.now
        var count = Count()
        var common = Source(errors, &random)
        var own = errors.sigmas.map { _ in Source(errors, &random) }
        for second in 1...epochs {
            let shared = (common.north.next(&random), common.east.next(&random))
            var fixes: [Fix] = []
            for index in own.indices {
                fixes.append(fix(errors, index, second, shared, &own[index], &random))
                vote.receive(fixes[index], from: index, arrival: nil, at: now)
            }
            while let decision = vote.next() {
                guard let radius = decision.radius,
                    let coordinate = fixes[decision.receiver].coordinate
                else { continue }
                count.all += 1
                count.winners.insert(decision.receiver)
                if coordinate.distance(to: truth) <= radius { count.inside += 1 }
            }
        }
        #expect(Double(count.all) >= 0.998 * Double(epochs))
        return count
    }

    private func fix(
        _ errors: Errors, _ index: Int, _ second: Int, _ shared: (Double, Double),
        _ source: inout Source, _ random: inout SeededGenerator
    ) -> Fix {
        // The periods of the receivers differ.
        let angle = Double(second) / Double(40 + 7 * index)
        let growth = errors.areChanging ? 2 + PortableMath.sinCos(angle).sin : 1
        let sigma = errors.sigmas[index]
        let (north, east) = (sigma.north * growth, sigma.east * growth)
        let (whole, own) = (errors.common.squareRoot(), (1 - errors.common).squareRoot())
        let errorNorth = north * (whole * shared.0 + own * source.north.next(&random))
        let errorEast = east * (whole * shared.1 + own * source.east.next(&random))
        var fix = Fix()
        fix.time = Bench.time(Double(second))
        fix.mode = .threeD
        fix.coordinate = Bench.place(errorEast, north: errorNorth)
        guard errors.hasCovariance else {
            let judgement = PortableMath.exp(
                errors.misjudgement * source.judgement.next(&random))
            fix.accuracy.horizontal = 1.5096 * north * judgement
            return fix
        }
        fix.covariance = Covariance(
            northNorth: Float(north * north), northEast: 0, northDown: 0,
            eastEast: Float(east * east), eastDown: 0, downDown: 1)
        return fix
    }

    @Test(arguments: [0, 0.5, 0.9, 0.99], [1, 2] as [UInt64])
    func `the radius contains 68 % for circular errors, independent and shared`(
        common: Double, seed: UInt64
    ) {
        let errors = Errors(sigmas: [(2, 2), (2, 2), (2, 2)], common: common)
        #expect((0.65...0.71).contains(count(errors, seed: seed).share))
    }

    @Test(arguments: [0, 0.9])
    func `the radius contains 68 % for receivers of different accuracies`(common: Double) {
        let errors = Errors(sigmas: [(5, 5), (1.5, 1.5), (3, 3), (9, 9)], common: common)
        #expect((0.65...0.71).contains(count(errors, seed: 3).share))
    }

    @Test(arguments: [0, 0.9])
    func `the radius contains 68 % for errors along one axis`(common: Double) {
        let errors = Errors(
            sigmas: [(4, 1), (1, 4), (3, 2)], common: common, hasCovariance: true)
        #expect((0.65...0.71).contains(count(errors, seed: 4).share))
    }

    @Test(arguments: [0, 0.5, 0.9])
    func `the radius contains 68 % for errors that are correlated in time`(common: Double) {
        let errors = Errors(
            sigmas: [(2, 2), (2, 2), (2, 2)], common: common, duration: 10)
        #expect((0.65...0.71).contains(count(errors, seed: 5, epochs: 10_000).share))
    }

    @Test(arguments: [0, 0.5, 0.9])
    func `the radius contains 68 % although accuracies and winner change`(common: Double) {
        let errors = Errors(
            sigmas: [(2, 2), (2, 2), (2, 2)], common: common, duration: 10, areChanging: true)
        let count = count(errors, seed: 6, epochs: 10_000)
        #expect((0.65...0.71).contains(count.share))
        #expect(count.winners == [0, 1, 2])
    }

    // The receiver that overestimates its accuracy most wins. The radius cannot be more correct
    // than the reported accuracies.
    @Test(arguments: [(0.05, 0.65...0.71), (0.1, 0.60...0.66), (0.2, 0.53...0.63)])
    func `the radius contains fewer positions if receivers misjudge their accuracy`(
        misjudgement: Double, expected: ClosedRange<Double>
    ) {
        let errors = Errors(
            sigmas: [(2, 2), (2, 2), (2, 2)], common: 0, misjudgement: misjudgement)
        #expect(expected.contains(count(errors, seed: 7, epochs: 10_000).share))
    }
}

@Suite(.timeLimit(.generous))
struct VoteAntennaTests {
    private static let ship = [
        LeverArm(forward: 60, right: 0), LeverArm(forward: 0, right: 5),
        LeverArm(forward: 0, right: -5),
    ]

    @Test func `antennas of a ship agree when their places are known`() throws {
        let known = VoteBench(Self.ship, after: 10) { $0.fix.attitude.heading = 90 }
        #expect(known.last?.decision.witnesses.count == 2)
        // The course can be used too.
        let moving = VoteBench(Self.ship, after: 10)
        #expect(moving.last?.decision.witnesses.count == 2)
    }

    @Test func `without a heading, the arm's length is tolerated`() {
        var bench = VoteBench(Self.ship, speed: 0, after: 10) { $0.fix.course = nil }
        #expect(bench.last?.decision.witnesses.count == 2)
        bench.run(10) {
            $0.fix.course = nil
            if $0.receiver == 0 { $0.shift(east: 100) }
        }
        #expect(bench.last?.decision.disagreeing == [0])
    }

    @Test func `a receiver with a wrong velocity does not turn the ship`() {
        var bench = VoteBench(Self.ship, after: 10)
        bench.run(10) {
            guard $0.receiver == 2 else { return }
            ($0.fix.speed, $0.fix.course) = (30, 0)
            $0.shift(north: ($0.second - 10) * 30)
        }
        #expect(bench.last?.decision.state == .agreed)
        #expect(bench.last?.decision.disagreeing == [2])
        #expect(bench.outcomes(from: 12).allSatisfy { $0.decision.receiver != 2 })
    }

    @Test func `the heading of a silent receiver is not used after a turn`() {
        var bench = VoteBench(Self.ship, after: 10) {
            if $0.receiver == 2 { $0.fix.attitude.heading = 180 }
        }
        bench.run(10) { $0.isSent = $0.receiver != 2 }
        #expect(bench.last?.decision.state == .agreed)
        #expect(bench.last?.decision.witnesses.count == 1)
    }

    @Test func `antennas that report one position are an alarm`() throws {
        var bench = VoteBench(Self.ship, accuracy: 2)
        let levers = Self.ship
        bench.run(30)
        #expect(bench.last?.decision.reasons == [])
        bench.run(12) { report in
            report.shift(
                east: -levers[report.receiver].forward, north: levers[report.receiver].right)
        }
        let last = try #require(bench.last)
        #expect(last.decision.reasons.map(\.test).contains(.antennasCollapsed))
        let marked = last.decision.marked(last.fix, names: ["a", "b", "c"])
        #expect(marked.integrity?.state == .alarm)
        let first = bench.outcomes.first { outcome in
            outcome.decision.reasons.contains { $0.test == .antennasCollapsed }
        }
        #expect(first?.second == 41)
        bench.run(5)
        #expect(bench.last?.decision.reasons == [])
    }

    /// Moves a report to the position of the first antenna.
    private static func collapse(_ report: inout VoteBench.Report) {
        report.shift(east: -ship[report.receiver].forward, north: ship[report.receiver].right)
    }

    private static func hasCollapsed(_ outcome: VoteBench.Outcome?) -> Bool {
        outcome?.decision.reasons.contains { $0.test == .antennasCollapsed } == true
    }

    @Test func `two antennas at one position are an alarm, even if a third one is separate`() {
        var bench = VoteBench(Self.ship, accuracy: 2, after: 30)
        bench.run(12) { Self.collapse(&$0) }
        for _ in 0..<5 {
            bench.run(1) { if $0.receiver < 2 { Self.collapse(&$0) } }
            #expect(Self.hasCollapsed(bench.last))
        }
    }

    @Test func `two short coincidences do not count as one long coincidence`() {
        var bench = VoteBench(Self.ship, accuracy: 2, after: 30)
        for _ in 0..<2 {
            bench.run(3) { Self.collapse(&$0) }
            bench.run(20) { $0.isSent = $0.receiver == 0 }
        }
        #expect(!bench.outcomes.contains { Self.hasCollapsed($0) })
    }

    @Test func `one position of a fast and a slow receiver is an alarm in any order`() {
        for periods in [[1.0, 15], [15, 1]] {
            var bench = VoteBench(
                Array(Self.ship.prefix(2)), accuracy: 2, periods: periods, after: 100)
            #expect(!Self.hasCollapsed(bench.last))
            bench.run(60) { Self.collapse(&$0) }
            #expect(Self.hasCollapsed(bench.last))
        }
    }

    @Test func `the evidence ends ten seconds after a receiver has lost its position`() {
        var bench = VoteBench(Array(Self.ship.prefix(2)), accuracy: 2, after: 30)
        bench.run(12) { Self.collapse(&$0) }
        #expect(Self.hasCollapsed(bench.last))
        bench.run(8) { if $0.receiver == 1 { $0.lose() } }
        #expect(Self.hasCollapsed(bench.last))
        bench.run(5) { if $0.receiver == 1 { $0.lose() } }
        #expect(!Self.hasCollapsed(bench.last))
    }

    @Test func `the evidence continues while the positions are not clearly separate`() {
        var bench = VoteBench(Array(Self.ship.prefix(2)), accuracy: 2, after: 30)
        bench.run(12) { Self.collapse(&$0) }
        bench.run(30) {
            Self.collapse(&$0)
            if $0.receiver == 0 { $0.shift(east: 24) }
        }
        #expect(Self.hasCollapsed(bench.last))
    }

    @Test func `the evidence ends with a receiver that is unplugged`() {
        var bench = VoteBench(Array(Self.ship.prefix(2)), accuracy: 2, after: 30)
        bench.run(12) { Self.collapse(&$0) }
        #expect(Self.hasCollapsed(bench.last))
        bench.unplug(1)
        bench.run(3) { $0.isSent = $0.receiver == 0 }
        #expect(!Self.hasCollapsed(bench.last))
    }
}

/// If any of three receivers fails, there is no gap of more than one epoch, and no jump larger than
/// the accuracies.
@Suite(.timeLimit(.generous))
struct VoteLossTests {
    enum Failure: CaseIterable {
        case unplugged, silent, frozen, frozenReport, jammed, twoD, alarm, noFix
    }

    @Test(arguments: Failure.allCases, 0..<3)
    func `a vote has no gap and no jump if one of three receivers fails`(
        failure: Failure, failing: Int
    ) {
        var bench = VoteBench(3)
        bench.accuracies[failing] = 2.2
        bench.run(10)
        #expect(bench.last?.decision.receiver == failing)
        if failure == .unplugged { bench.unplug(failing) }
        var frozen: Fix?
        bench.run(30) { report in
            guard report.receiver == failing else { return }
            switch failure {
            case .unplugged, .silent: report.isSent = false
            case .frozen, .frozenReport:
                let time = report.fix.time
                let kept = frozen ?? report.fix
                frozen = kept
                report.fix = kept
                report.fix.time = time
                if failure == .frozen { report.fix.speed = 0 }
            case .jammed:
                // σ grows, then the fix becomes 2D, is lost, and returns.
                let age = report.second - 10
                report.fix.accuracy.horizontal = 2.5 + age * 3
                report.shift(north: age * 1.5)
                if age > 8 { report.fix.mode = .twoD }
                if (12...20).contains(age) { report.lose() }
            case .twoD: report.fix.mode = .twoD
            case .alarm: report.fix.integrity = Integrity(state: .alarm)
            case .noFix: report.lose()
            }
        }
        let outcomes = bench.outcomes
        for (one, next) in zip(outcomes, outcomes.dropFirst()) {
            #expect(next.second - one.second < 2.01)
            // The intervals of the instants equal those of their results within one period.
            #expect(next.came - one.came < 2.01)
            #expect(abs(jump(from: one, to: next, speed: bench.speed)) < largestJump(one, next))
        }
        #expect(outcomes.count >= 39)
        #expect(outcomes.allSatisfy { $0.error < 9 })
        guard failure != .jammed else { return }
        let first = outcomes.first { $0.second > 10 && $0.decision.receiver != failing }?.second
        #expect((first ?? 99) <= 12)
        #expect(bench.outcomes(from: 12).allSatisfy { $0.decision.receiver != failing })
        #expect(bench.outcomes(from: 13).allSatisfy { $0.decision.state == .agreed })
    }

    /// The difference in metres between the distance of two results and the vehicle's motion.
    private func jump(
        from one: VoteBench.Outcome, to next: VoteBench.Outcome, speed: Double
    ) -> Double {
        guard let start = one.fix.coordinate, let end = next.fix.coordinate else {
            return .infinity
        }
        return start.distance(to: end) - speed * (next.second - one.second)
    }

    /// The difference of two positions that is exceeded in one of a thousand cases, according to
    /// their accuracies.
    private func largestJump(_ one: VoteBench.Outcome, _ next: VoteBench.Outcome) -> Double {
        let accuracies = [one, next].map { $0.fix.accuracy.horizontal ?? 0 }
        return 2.46 * (accuracies[0] * accuracies[0] + accuracies[1] * accuracies[1]).squareRoot()
    }

    @Test func `without any position, one receiver reports so in each epoch`() {
        var bench = VoteBench(3, after: 5)
        bench.run(10) { $0.lose() }
        let without = bench.outcomes(from: 7)
        #expect(without.count >= 9)
        #expect(without.allSatisfy { $0.decision.state == .noPosition })
        #expect(Set(without.map(\.decision.receiver)).count == 1)
        bench.run(3)
        #expect(bench.last?.decision.state == .agreed)
    }

    @Test func `receivers that are all 2D keep reporting`() {
        let bench = VoteBench(2, after: 10) { $0.fix.mode = .twoD }
        #expect(bench.outcomes.count == 10)
        #expect(bench.last?.decision.state == .agreed)
    }

    @Test(arguments: [true, false])
    func `if the winner fails, a receiver that agreed with it goes before an outvoted one`(
        isUnplugged: Bool
    ) {
        // The outvoted receiver claims to be the most accurate one.
        var bench = VoteBench(3, accuracies: [2.2, 2.5, 1.8], after: 10)
        bench.run(5) { if $0.receiver == 2 { $0.shift(east: 80) } }
        #expect(bench.last?.decision.receiver == 0)
        if isUnplugged { bench.unplug(0) }
        bench.run(10) { report in
            if report.receiver == 2 { report.shift(east: 80) }
            if report.receiver == 0, isUnplugged { report.isSent = false }
            if report.receiver == 0, !isUnplugged { report.lose() }
        }
        let later = bench.outcomes(from: 16)
        #expect(!later.isEmpty)
        #expect(later.allSatisfy { $0.decision.receiver == 1 && $0.decision.state == .disputed })
    }
}
