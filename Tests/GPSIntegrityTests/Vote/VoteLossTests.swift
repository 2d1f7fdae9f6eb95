// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

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
