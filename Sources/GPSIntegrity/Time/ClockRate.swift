// SPDX-License-Identifier: MIT
import GNSS

/// Detects that the receiver's time runs at a different rate from this machine's clock.
///
/// It compares the shortest arrival delay of the first minute with the shortest delay of the last
/// minute, over up to ten minutes.
struct ClockRate: FixTest {
    static let name = Integrity.Test.clockRate
    static let evidence = Integrity.Evidence.time
    static let unit = "ppm"

    /// The maximum number of minutes in the comparison.
    private static let count = 10
    /// The part of a change of the shortest delay, in seconds, that can be caused by chance, or by
    /// NTP when it slews this machine's clock. ntpd corrects larger differences with a step, which
    /// does not affect the monotonic clock.
    private static let noise = 0.12

    private var history = ClockHistory()
    private var minutes: [Double]
    private var filled = 0
    private var minuteEnd: Double?
    private var minimum = Double.infinity

    init() {
        minutes = Array(repeating: 0, count: Self.count)
    }

    static func text(_ finding: Finding) -> String {
        "receiver clock runs \(String(finding.value, decimals: 0)) ppm too fast or too slow, "
            + "compared with this machine's, for \(String(finding.details.0, decimals: 0)) min"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        if epoch.fix.time?.isNearLeapSecond ?? false { self = Self() }
        guard history.take(epoch) else { return .unavailable }
        if history.isCorrected { (filled, minuteEnd, minimum) = (0, nil, .infinity) }
        history.record()
        minimum = min(minimum, history.delay)
        let end = minuteEnd ?? epoch.moment.now + 60
        minuteEnd = end
        guard epoch.moment.now >= end else { return filled > 1 ? .quiet : .unavailable }
        if epoch.moment.now - end > 60 {
            self = Self()
            return .unavailable
        }
        // A jump of the time is not a difference in rate.
        if filled > 0, abs(minimum - minutes[filled - 1]) > settings.preciseClockStep { filled = 0 }
        if filled == Self.count {
            for index in 1..<Self.count { minutes[index - 1] = minutes[index] }
            filled -= 1
        }
        minutes[filled] = minimum
        filled += 1
        (minuteEnd, minimum) = (end + 60, .infinity)
        guard filled > 1 else { return .unavailable }
        let change = abs(minutes[filled - 1] - minutes[0])
        let time = 60 * Double(filled - 1)
        let spread = history.newer?.spread ?? 0
        let limit = settings.clockRate * time + Self.noise + 3 * spread
        guard change > limit else { return .quiet }
        return .found(
            .event, change / time * 1e6, beyond: limit / time * 1e6,
            details: (Double(filled - 1), 0))
    }
}
