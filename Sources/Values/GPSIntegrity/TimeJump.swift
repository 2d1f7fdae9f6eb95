// SPDX-License-Identifier: MIT
import GNSS

/// Detects that the receiver's time jumped relative to this machine's monotonic clock.
///
/// A forward jump is detected immediately, because a true fix does not arrive with a shorter delay
/// than the shortest known one. A backward jump looks like a late fix until all fixes in 30 seconds
/// are late. While the receiver's time advances steadily, no jump is detected, whatever the delays.
struct ClockStep: FixTest {
    static let name = Integrity.Test.clockStep
    static let evidence = Integrity.Evidence.time
    static let unit = "s"

    private var history = ClockHistory()

    static func text(_ finding: Finding) -> String {
        let step = abs(finding.value)
        return "receiver clock stepped \(String(step, atMostDecimals: step < 10 ? 2 : 0)) s "
            + "\(finding.details.0 > 0 ? "forwards" : "backwards") against this machine "
            + "(limit \(String(finding.threshold, atMostDecimals: 2)) s)"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        if epoch.fix.time?.isNearLeapSecond ?? false { history.forget() }
        guard history.take(epoch) else { return .unavailable }
        let isPrecise = epoch.fix.accuracy.time != nil
        let base =
            (isPrecise ? settings.preciseClockStep : settings.clockStep) + history.tolerance
        if let recent = history.recent, !history.isSteady {
            let (step, limit) = (recent.minimum - history.delay, base + 3 * recent.spread)
            if step > limit {
                history.forget()
                return .found(.hard, step, beyond: limit, details: (1, 0))
            }
        }
        history.record()
        guard let newer = history.newer else { return .unavailable }
        guard let older = history.older else { return .quiet }
        // The factor is four here, so that a recording replayed at half speed does not count as a
        // jump.
        let step = newer.minimum - older.minimum
        let limit = base + 4 * max(newer.spread, older.spread)
        guard step > limit, !history.isSteady else { return .quiet }
        history.forget()
        return .found(.hard, step, beyond: limit, details: (-1, 0))
    }
}

extension UTCTime {
    /// Whether a leap second may have been inserted within the last minute.
    var isNearLeapSecond: Bool {
        date.day == 1 && (date.month == 1 || date.month == 7)
            && time.nanoseconds < 60_000_000_000
    }
}
