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
    private static let minuteCount = 10
    /// The part of a change of the shortest delay, in seconds, that can be caused by chance, or by
    /// NTP when it slews this machine's clock. ntpd corrects larger differences with a step, which
    /// does not affect the monotonic clock.
    private static let noise = 0.12
    /// The largest relative difference between the rates that `fastRate` reports. It is larger for
    /// a recording that another program replays at another pace.
    private static let largestRate = 0.25

    private var history = ClockHistory()
    private var minutes: [Double]
    private var filled = 0
    private var minuteEnd: Double?
    private var minimum = Double.infinity
    /// The shortest delay in the last minute, in seconds; `nil` before the end of the first one.
    private var lastMinimum: Double?
    /// The shortest delay in the last minute minus that in the minute before, in seconds.
    private var lastChange = 0.0
    /// The shortest delay in all minutes before the last one, in seconds.
    private var lowest = Double.infinity

    init() {
        minutes = Array(repeating: 0, count: Self.minuteCount)
    }

    static func text(_ finding: Finding) -> String {
        "receiver clock runs \(String(finding.value, decimals: 0)) ppm too fast or too slow, "
            + "compared with this machine's, for \(String(finding.details.0, decimals: 0)) min"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        if epoch.fix.time?.isNearLeapSecond ?? false { self = Self() }
        guard history.take(epoch) else { return .unavailable }
        if history.isCorrected {
            (filled, minuteEnd, minimum) = (0, nil, .infinity)
            (lastMinimum, lastChange, lowest) = (nil, 0, .infinity)
        }
        history.record()
        minimum = min(minimum, history.delay)
        let end = minuteEnd ?? epoch.moment.now + 60
        minuteEnd = end
        guard epoch.moment.now >= end else { return filled > 1 ? .quiet : .unavailable }
        if epoch.moment.now - end > 60 {
            self = Self()
            return .unavailable
        }
        let spread = history.newer?.spread ?? 0
        let jumpLimit = settings.preciseClockStep + spread
        let change = lastMinimum.map { minimum - $0 } ?? 0
        // A jump of the time is not a difference in rate.
        if abs(change) > jumpLimit { filled = 0 }
        // The duration of a suspend is measured inaccurately, so the limit is higher after a
        // suspend. Two suspends do not count as a drift.
        let fastRate = fastRate(change, jumpLimit + history.tolerance)
        lowest = min(lowest, lastMinimum ?? .infinity)
        (lastMinimum, lastChange) = (minimum, change)
        if filled == Self.minuteCount {
            for index in 1..<Self.minuteCount { minutes[index - 1] = minutes[index] }
            filled -= 1
        }
        minutes[filled] = minimum
        filled += 1
        (minuteEnd, minimum) = (end + 60, .infinity)
        if let fastRate {
            return .found(
                .event, fastRate * 1e6, beyond: jumpLimit / 120 * 1e6, details: (2, 0))
        }
        guard filled > 1 else { return .unavailable }
        let whole = abs(minutes[filled - 1] - minutes[0])
        let time = 60 * Double(filled - 1)
        let limit = settings.clockRate * time + Self.noise + 3 * spread
        guard whole > limit else { return .quiet }
        return .found(
            .event, whole / time * 1e6, beyond: limit / time * 1e6,
            details: (Double(filled - 1), 0))
    }

    /// Returns the relative difference between the rates if the receiver's time gains more than
    /// `jumpLimit` seconds in this minute and half as much in the previous one; otherwise `nil`.
    /// `change` is the change of the shortest delay in this minute.
    ///
    /// After a stall of the line, the delays become shorter, too, but not shorter than before the
    /// stall. A time that runs too slowly by as much is not detected here, because data that is
    /// delayed more and more looks the same.
    private func fastRate(_ change: Double, _ jumpLimit: Double) -> Double? {
        guard change < -jumpLimit, lastChange < -jumpLimit / 2, minimum < lowest - jumpLimit,
            min(change, lastChange) >= -60 * Self.largestRate
        else { return nil }
        return -(change + lastChange) / 120
    }
}
