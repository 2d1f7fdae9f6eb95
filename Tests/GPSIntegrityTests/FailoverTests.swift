// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

/// Requests from users of chart plotters and flight computers with several receivers.
@Suite(.timeLimit(.generous))
struct FailoverTests {
    // OpenCPN#2209: the preferred receiver keeps sending, and has no fix.

    @Test
    func `OpenCPN 2209, a receiver that sends without a fix gives way at once, and comes back`() {
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

    @Test(arguments: 0..<3)
    func `OpenCPN 2209, a position is passed on in each epoch while any receiver has one`(
        fixed: Int
    ) {
        var bench = VoteBench(3, after: 10)
        bench.run(60) { report in
            // The others have a fix now and then, at different times.
            let isLost = Int(report.second) / 5 % 3 != report.receiver
            if report.receiver != fixed, isLost { report.lose() }
        }
        #expect(bench.outcomes.count == 70)
        #expect(bench.outcomes.allSatisfy { $0.fix.coordinate != nil && $0.error < 9 })
    }

    @Test
    func
        `OpenCPN 2209, a receiver whose fix comes and goes takes the position only when it has been better`()
    {
        var bench = VoteBench(2, accuracies: [1.5, 2.5], after: 10)
        // A second with a fix, a second without.
        bench.run(60) { report in
            if report.receiver == 0, Int(report.second).isMultiple(of: 2) { report.lose() }
        }
        #expect(bench.outcomes.count == 70)
        #expect(bench.outcomes(from: 12).allSatisfy { $0.decision.receiver == 1 })
    }

    // XCSoar#2351: the first receiver with any fix wins, although a later one is better.

    @Test(arguments: [[1.5, 8, 4], [8, 1.5, 4], [8, 4, 1.5]])
    func `XCSoar 2351, the most accurate receiver wins in any order`(accuracies: [Double]) {
        let bench = VoteBench(3, accuracies: accuracies, after: 6)
        #expect(bench.last?.decision.receiver == accuracies.firstIndex(of: 1.5))
    }

    @Test func `XCSoar 2351, a better receiver replaces one whose fix remains valid`() {
        var bench = VoteBench(2, accuracies: [3, 8], after: 10)
        #expect(bench.last?.decision.receiver == 0)
        // The receiver gets RTK corrections.
        bench.run(10) {
            guard $0.receiver == 1 else { return }
            $0.fix.quality = .rtkFixed
            $0.fix.accuracy.horizontal = 0.02
        }
        #expect(bench.last?.decision.receiver == 1)
        #expect(bench.last?.decision.state == .agreed)
    }

    @Test(arguments: [FixQuality.autonomous, .estimated])
    func `XCSoar 2351, a 3D fix goes before a 2D fix and before dead reckoning`(
        quality: FixQuality
    ) {
        let bench = VoteBench(2, accuracies: [1, 5], after: 10) {
            guard $0.receiver == 0 else { return }
            $0.fix.quality = quality
            if quality == .autonomous { $0.fix.mode = .twoD }
        }
        #expect(bench.outcomes(from: 3).allSatisfy { $0.decision.receiver == 1 })
    }

    @Test func `XCSoar 2351, the winner does not alternate between similar receivers`() {
        var bench = VoteBench(2, after: 5)
        bench.run(60) {
            let isBetter = Int($0.second) % 2 == $0.receiver
            $0.fix.accuracy.horizontal = isBetter ? 2 : 3
        }
        let winners = bench.outcomes(from: 6).map(\.decision.receiver)
        #expect(Set(winners).count == 1)
    }
}
