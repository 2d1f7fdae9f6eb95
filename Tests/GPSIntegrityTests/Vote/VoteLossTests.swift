// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

/// Any one of three receivers fails: no gap of more than one epoch, no jump beyond the accuracies.
@Suite(.timeLimit(.generous))
struct VoteLossTests {
    enum Failure: CaseIterable {
        case unplugged, silent, frozen, frozenReport, jammed, twoD, alarm, noFix
    }

    @Test(arguments: Failure.allCases, 0..<3)
    func `one of three fails`(failure: Failure, failing: Int) {
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
                // σ grows, 2D, lost, and back.
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
            // The instants stay as far apart as their results, within one period.
            #expect(next.came - one.came < 2.01)
        }
        #expect(outcomes.count >= 39)
        #expect(outcomes.allSatisfy { $0.error < 9 })
        guard failure != .jammed else { return }
        let first = outcomes.first { $0.second > 10 && $0.decision.receiver != failing }?.second
        #expect((first ?? 99) <= 12)
        #expect(bench.outcomes(from: 12).allSatisfy { $0.decision.receiver != failing })
        #expect(bench.outcomes(from: 13).allSatisfy { $0.decision.state == .agreed })
    }

    // OpenCPN#2209: the preferred receiver keeps sending, and has no fix.
    @Test func `a receiver that sends without a fix gives way at once, and comes back`() {
        var bench = VoteBench(2)
        bench.accuracies[0] = 1.5
        bench.run(10)
        #expect(bench.last?.decision.receiver == 0)
        bench.run(10) { if $0.receiver == 0 { $0.lose() } }
        #expect(bench.outcomes.count == 20)
        #expect(bench.outcomes(from: 11).allSatisfy { $0.decision.receiver == 1 })
        #expect(bench.last?.decision.state == .single)
        bench.run(5)
        #expect(bench.last?.decision.receiver == 0)
        #expect(bench.last?.decision.state == .agreed)
        #expect(bench.outcomes.allSatisfy { $0.fix.coordinate != nil })
    }

    // XCSoar#2351: the first receiver with any fix wins, although a later one is better.
    @Test func `the order of the receivers doesn't matter`() {
        for order in [[1.5, 8.0, 4.0], [8.0, 1.5, 4.0], [8.0, 4.0, 1.5]] {
            var bench = VoteBench(3)
            bench.accuracies = order
            bench.run(6)
            #expect(bench.last?.decision.receiver == order.firstIndex(of: 1.5))
        }
    }

    @Test func `without any position, one receiver reports so in each epoch`() {
        var bench = VoteBench(3)
        bench.run(5)
        bench.run(10) { $0.lose() }
        let without = bench.outcomes(from: 7)
        #expect(without.count >= 9)
        #expect(without.allSatisfy { $0.decision.state == .noPosition })
        #expect(Set(without.map(\.decision.receiver)).count == 1)
        bench.run(3)
        #expect(bench.last?.decision.state == .agreed)
    }

    @Test func `receivers that are all 2D keep reporting`() {
        var bench = VoteBench(2)
        bench.run(10) { $0.fix.mode = .twoD }
        #expect(bench.outcomes.count == 10)
        #expect(bench.last?.decision.state == .agreed)
    }
}
