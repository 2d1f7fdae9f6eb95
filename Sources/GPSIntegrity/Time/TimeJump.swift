// SPDX-License-Identifier: MIT
import GNSS

/// Detects that the receiver's time goes back, or jumps far ahead of this machine's clock.
///
/// The test runs only with a position, because a receiver without one may correct its date by
/// decades. Without arrival times, it only detects dates 1024 weeks back.
struct TimeJump: FixTest {
    static let name = Integrity.Test.timeJump
    static let evidence = Integrity.Evidence.time
    static let unit = "s"

    private static let rollover = 1024 * 7 * 86_400.0

    /// The longest time for which the date may be late, in nanoseconds.
    private static let lateDate: Int64 = 10_000_000_000

    private var last: Int64?
    private var history = ClockHistory()

    static func text(_ finding: Finding) -> String {
        let way = finding.details.0 > 0 ? "forwards" : "backwards"
        let count = rollovers(in: finding.value)
        if count > 0 { return "date jumped \(String(count * 1024, decimals: 0)) weeks \(way)" }
        return "time jumped \(String(finding.value, atMostDecimals: 1)) s \(way)"
    }

    /// Returns how often a time in seconds contains 1024 weeks, if it is a multiple of them to
    /// within a day; otherwise 0.
    private static func rollovers(in seconds: Double) -> Double {
        let count = (seconds / rollover).rounded()
        return abs(seconds - count * rollover) < 86_400 ? count : 0
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        // Without a position, the next time is not compared with this one.
        guard epoch.hasPosition, let time = epoch.fix.time else {
            if epoch.fix.mode == .noFix { self = Self() }
            return .unavailable
        }
        let now = time.unixNanoseconds
        // At midnight, some receivers change the date some seconds after the time of day.
        if let last, time.time.nanoseconds < Self.lateDate,
            (now.subtractingReportingOverflow(last).0 &+ TimeOfDay.day).magnitude < Self.lateDate
        {
            return .unavailable
        }
        defer { last = now }
        let isTimed = history.take(epoch)
        guard let last, !history.isCorrected else { return .unavailable }
        let (nanoseconds, _) = now.subtractingReportingOverflow(last)
        let step = Double(nanoseconds) / 1e9
        // A file may contain several recordings in any order, but hardly 1024 weeks apart.
        guard isTimed || step < 0 && Self.rollovers(in: -step) > 0 else { return .unavailable }
        if step < -settings.backward {
            history.forget()
            return .hit(
                Finding(
                    weight: .hard, value: -step, threshold: settings.backward, details: (-1, 0)))
        }
        if let recent = history.recent, !history.isSteady {
            let ahead = recent.minimum - history.delay
            let limit = settings.forward + 3 * recent.spread
            if ahead > limit {
                history.forget()
                return .hit(
                    Finding(weight: .hard, value: ahead, threshold: limit, details: (1, 0)))
            }
        }
        history.record()
        return .quiet
    }
}
