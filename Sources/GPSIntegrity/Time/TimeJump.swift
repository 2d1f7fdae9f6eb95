// SPDX-License-Identifier: MIT
import GNSS

/// Detects that the receiver's time goes back, or jumps far ahead of this machine's clock.
///
/// The test runs only with a position, because a receiver without one may correct its date by
/// decades.
struct TimeJump: FixTest {
    static let name = Integrity.Test.timeJump
    static let evidence = Integrity.Evidence.time
    static let unit = "s"

    private static let rollover = 1024 * 7 * 86_400.0

    private var last: Int64?
    private var history = ClockHistory()

    static func text(_ finding: Finding) -> String {
        let way = finding.details.0 > 0 ? "forwards" : "backwards"
        let weeks = (finding.value / rollover).rounded()
        if weeks >= 1, abs(finding.value - weeks * rollover) < 86_400 {
            return "date jumped \(String(weeks * 1024, decimals: 0)) weeks \(way)"
        }
        return "time jumped \(String(finding.value, atMostDecimals: 1)) s \(way)"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        // Without a position, the next time is not compared with this one.
        guard history.take(epoch), let time = epoch.fix.time else {
            if epoch.fix.mode == .noFix { self = Self() }
            return .unavailable
        }
        let now = time.unixNanoseconds
        defer { last = now }
        guard let last, !history.isCorrected else { return .unavailable }
        let (nanoseconds, _) = now.subtractingReportingOverflow(last)
        let step = Double(nanoseconds) / 1e9
        if step < -settings.backward {
            history.forget()
            return .hit(
                Finding(
                    weight: .hard, value: -step, threshold: settings.backward, details: (-1, 0)))
        }
        if let recent = history.recent {
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
