// SPDX-License-Identifier: MIT
import GNSS

/// Round times for the ticks of an axis, in UTC.
package struct TimeTicks {
    package struct Tick: Hashable {
        /// The time in nanoseconds from the zero point of the scale.
        package let nanoseconds: Int64
        package let text: String
    }

    /// The ticks in order of time.
    package let ticks: [Tick]

    private static let second: Int64 = 1_000_000_000
    private static let day = 86_400 * second
    private static let seconds: [Int64] = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200,
    ]
    private static let fractions: [Int64] = [1, 2, 5, 10, 20, 50, 100, 200, 500]
    private static let days: [Int64] = [
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000,
    ]

    /// Finds at most about `count` round times from `first` to `last`. Both are in nanoseconds from
    /// the zero point of the scale.
    package init(_ scale: FixTime.Scale, _ first: Int64, _ last: Int64, atMost count: Int) {
        let steps =
            Self.fractions.map { $0 * 1_000_000 } + Self.seconds.map { $0 * Self.second }
            + Self.days.map { $0 * Self.day }
        let (length, isTooLong) = last.subtractingReportingOverflow(first)
        let enough = steps.first { !isTooLong && length / $0 < Int64(max(1, count)) }
        let step = enough ?? 10_000 * Self.day
        var ticks: [Tick] = []
        // Integer division rounds towards 0, so positive times with a remainder must be rounded up.
        var index = first / step + (first % step > 0 ? 1 : 0)
        while ticks.count < 100 {
            let (instant, overflow) = index.multipliedReportingOverflow(by: step)
            if overflow || instant > last { break }
            ticks.append(Tick(nanoseconds: instant, text: Self.text(instant, step, scale)))
            index += 1
        }
        self.ticks = ticks
    }

    private static func text(_ instant: Int64, _ step: Int64, _ scale: FixTime.Scale) -> String {
        if scale == .order { return "\(instant / second)" }
        let time = TimeOfDay(wrapping: instant)
        if scale == .date, time.nanoseconds == 0, step >= second * 60,
            let midnight = UTCTime(unixNanoseconds: instant)
        {
            return String(midnight.description.prefix(10))
        }
        let text = time.clock
        guard step < second * 60 else { return String(text.prefix(5)) }
        guard step < second else { return text }
        return text + "." + String(time.nanosecond / 1_000_000, width: 3)
    }
}
