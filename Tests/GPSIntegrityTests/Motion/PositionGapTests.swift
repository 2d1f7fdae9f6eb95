// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous)) struct PositionGapTests {
    /// Returns the bench after a gap in which the receiver moved a distance in metres.
    private func bench(gap: Double, moved: Double, speed: Double = 0) -> Bench {
        var bench = Bench(speed: speed, after: 70)
        bench.run(gap) { $0.lose() }
        bench.run(4) { $0.shift(moved) }
        return bench
    }

    @Test(arguments: [(10.0, 150.0), (10, -150), (60, 2000), (2, 10)])
    func `a jump that a vehicle can travel in the gap is not evidence`(gap: Double, moved: Double) {
        #expect(bench(gap: gap, moved: moved).tests.isEmpty)
    }

    @Test(arguments: [(10.0, 400.0), (6, 200)])
    func `a jump that no vehicle can travel in the gap is a warning`(gap: Double, moved: Double) {
        let bench = bench(gap: gap, moved: moved)
        #expect(bench.state == .warning && bench.tests == [.positionGap])
    }

    @Test func `a car that leaves a tunnel at the expected position raises no warning`() {
        #expect(bench(gap: 60, moved: 0, speed: 30).tests.isEmpty)
    }

    @Test(arguments: [true, false])
    func `in a recording, a gap with fixes without a time may have lasted for hours`(isLive: Bool) {
        var bench = Bench(isLive: isLive, after: 70)
        // It is switched off, and on again elsewhere.
        bench.run(3) { epoch in
            epoch.lose()
            (epoch.fix.time, epoch.fix.timeOfDay) = (nil, nil)
        }
        bench.run(3) {
            $0.lose()
            $0.shiftTime(isLive ? 0 : 7200)
        }
        bench.run(10) {
            $0.shift(3000)
            $0.shiftTime(isLive ? 0 : 7200)
        }
        #expect(bench.tests == (isLive ? [.positionGap] : []))
    }

    @Test func `after a gap of five minutes, any position is accepted`() {
        var bench = bench(gap: 310, moved: 500_000)
        #expect(bench.tests.isEmpty)
        bench.run(3)
        #expect(bench.tests == [.positionGap], "moving back within seconds is not")
    }
}
