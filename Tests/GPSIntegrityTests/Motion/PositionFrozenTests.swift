// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous)) struct PositionFrozenTests {
    private func bench(seconds: Double, speed: Double) -> Bench {
        var bench = Bench(after: 70)
        bench.run(seconds) {
            $0.fix.coordinate = Bench.place(0)
            $0.fix.speed = speed
        }
        return bench
    }

    @Test func `a receiver at rest may stand still for long`() {
        #expect(bench(seconds: 1000, speed: 0.4).state == .ok)
    }

    @Test func `a reported way of 50 m on one spot is a warning`() {
        let bench = bench(seconds: 30, speed: 3)
        #expect(bench.state == .warning && bench.tests == [.positionFrozen])
        #expect(bench.text.hasPrefix("position unchanged for "))
        #expect(bench.text.hasSuffix(" s at a reported 3 m/s"))
    }

    @Test func `a way shorter than a coarse position's digits is none`() {
        #expect(bench(seconds: 12, speed: 3).state == .ok)
    }
}
