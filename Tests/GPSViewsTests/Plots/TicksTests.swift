// SPDX-License-Identifier: MIT
import GPSTestTraits
import GPSViews
import Testing

@Suite(.timeLimit(.generous))
struct TicksTests {
    private let second: Int64 = 1_000_000_000

    @Test func `ticks are round numbers within the axis`() {
        #expect(AxisTicks(157.2, 180.3, about: 5).values == [160, 165, 170, 175, 180])
        #expect(
            AxisTicks(-0.6, 0.6, about: 6).values.map { ($0 * 10).rounded() } == [
                -6, -4, -2, 0, 2, 4, 6,
            ])
        let ticks = AxisTicks(0, 1, about: 5)
        #expect(ticks.values.map(ticks.text) == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"])
    }

    @Test(arguments: [(0.0, 0.0), (1, 0), (.nan, 1), (-.infinity, .infinity), (1e300, 1e301)])
    func `impossible axes have finitely many ticks`(_ low: Double, _ high: Double) {
        #expect(AxisTicks(low, high, about: 5).values.count <= 100)
    }

    @Test func `times are UTC, with a date at midnight`() {
        // 2026-03-21 22:00 to 2026-03-22 02:00
        let start: Int64 = 1_774_130_400
        let ticks = TimeTicks(.date, start * second, (start + 14_400) * second, atMost: 5)
        #expect(ticks.ticks.map(\.text) == ["22:00", "23:00", "2026-03-22", "01:00", "02:00"])
    }

    @Test func `tenths of seconds have decimals, long times have days`() {
        let ticks = TimeTicks(.timeOfDay, 0, second, atMost: 3)
        #expect(ticks.ticks.map(\.text) == ["00:00:00.000", "00:00:00.500", "00:00:01.000"])
        let days = TimeTicks(.date, 0, 86_400 * 10 * second, atMost: 4)
        #expect(days.ticks.map(\.text) == ["1970-01-01", "1970-01-06", "1970-01-11"])
    }

    @Test(arguments: [(Int64.min, Int64.max), (.min, .min), (.max, .max), (-5, 5), (5, -5)])
    func `any two times have finitely many ticks`(_ first: Int64, _ last: Int64) {
        #expect(TimeTicks(.date, first, last, atMost: 10).ticks.count <= 100)
    }
}
