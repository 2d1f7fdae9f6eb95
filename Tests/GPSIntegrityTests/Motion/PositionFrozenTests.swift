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

    @Test func `a long rest without a speed is not a frozen position`() {
        #expect(bench(seconds: 1000, speed: 0.4).state == .ok)
    }

    @Test func `a speed that adds up to 50 m without a change of the position is a warning`() {
        let bench = bench(seconds: 30, speed: 3)
        #expect(bench.state == .warning && bench.tests == [.positionFrozen])
        #expect(bench.text.hasPrefix("position unchanged for "))
        #expect(bench.text.hasSuffix(" s at a reported speed of 3 m/s"))
    }

    @Test func `a position that is unchanged during dead reckoning is a warning, too`() {
        var bench = Bench(after: 70)
        bench.run(30) {
            $0.fix.coordinate = Bench.place(0)
            ($0.fix.quality, $0.fix.speed) = (.estimated, 3)
        }
        #expect(bench.state == .warning && bench.tests == [.positionFrozen])
    }

    @Test func `a path shorter than the last digit of a coarse position is not evidence`() {
        #expect(bench(seconds: 12, speed: 3).state == .ok)
    }
}
