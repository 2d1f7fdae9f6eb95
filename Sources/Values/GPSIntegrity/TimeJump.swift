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

    static func text(_ finding: TestHit) -> String {
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

/// Detects that the receiver's number of leap seconds differs from the number that was announced
/// when this program was written.
struct LeapSeconds: FixTest {
    static let name = Integrity.Test.leapSeconds
    static let evidence = Integrity.Evidence.time
    static let unit = "s"

    static func text(_ finding: TestHit) -> String {
        "receiver uses \(String(finding.value, decimals: 0)) leap seconds instead of "
            + String(finding.threshold, decimals: 0)
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        guard let own = epoch.fix.leapSeconds, let date = epoch.fix.time?.date, epoch.hasPosition
        else { return .unavailable }
        let known = GPSTime.leapSeconds(on: date)
        guard Int(own) != known else { return .unavailable }
        return .found(.soft, Double(own), beyond: Double(known))
    }
}

/// Detects that the receiver's time goes back, or jumps far ahead of this machine's clock.
///
/// The decoder drops fixes whose time was already reported, so a step back by one to four intervals
/// is not detected here.
///
/// The test runs only with a position, because a receiver without one may correct its date by
/// decades. After a search, it only detects a time that is wrong by more than a minute, and only if
/// the time before the search agreed with the system's clock. Without arrival times, it only
/// detects a date that goes back by a multiple of 1024 weeks.
struct TimeJump: FixTest {
    static let name = Integrity.Test.timeJump
    static let evidence = Integrity.Evidence.time
    static let unit = "s"

    private static let rollover = 1024 * 7 * 86_400.0

    private var last: UTCTime?
    private var history = ClockHistory()
    /// The time in Unix nanoseconds and the arrival of the last fix whose time agreed with the
    /// system's clock; `nil` if there was none.
    private var agreement: (time: Int64, arrival: MonotonicInstant)?

    static func text(_ finding: TestHit) -> String {
        let way = finding.details.0 > 0 ? "forwards" : "backwards"
        let count = rollovers(in: finding.value)
        if count > 0 { return "date jumped \(String(count * 1024, decimals: 0)) weeks \(way)" }
        return "time jumped \(String(finding.value, atMostDecimals: 1)) s \(way)"
    }

    /// Returns the number of 1024-week periods, rounded, in a duration in seconds; 0 if the
    /// duration differs from a multiple of 1024 weeks by a day or more.
    private static func rollovers(in seconds: Double) -> Double {
        let count = (seconds / rollover).rounded()
        return abs(seconds - count * rollover) < 86_400 ? count : 0
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        // Without a position, the next time is not compared with this one.
        guard epoch.hasPosition, let time = epoch.fix.time else {
            if epoch.fix.mode == .noFix { (last, history) = (nil, ClockHistory()) }
            return .unavailable
        }
        let now = time.unixNanoseconds
        if let last, time.hasPreviousDate(comparedTo: last) { return .unavailable }
        let isTimed = history.take(epoch)
        defer {
            last = time
            if let arrival = epoch.moment.instant, let lateness = history.lateness,
                ClockHistory.punctual ~= lateness
            {
                agreement = (now, arrival)
            }
        }
        guard let last else { return examineAfterSearch(time, at: epoch.moment.instant) }
        guard !history.isCorrected else { return .unavailable }
        let step = now.seconds(since: last.unixNanoseconds)
        // A file may contain several recordings in any order, but hardly 1024 weeks apart.
        guard isTimed || step < 0 && Self.rollovers(in: -step) > 0 else { return .unavailable }
        if step < -settings.backward {
            history.forget()
            return .found(.hard, -step, beyond: settings.backward, details: (-1, 0))
        }
        if let recent = history.recent, !history.isSteady {
            let ahead = recent.minimum - history.delay
            let limit = settings.forward + 3 * recent.spread
            if ahead > limit {
                history.forget()
                return .found(.hard, ahead, beyond: limit, details: (1, 0))
            }
        }
        history.record()
        return .quiet
    }

    /// Compares the first time after a search with the last one that agreed with the system's
    /// clock. The monotonic clock has measured the time between them, so it does not matter whether
    /// the system's clock was set in the meantime.
    private func examineAfterSearch(_ time: UTCTime, at arrival: MonotonicInstant?) -> Verdict {
        guard let agreement, let arrival, let lateness = history.lateness,
            abs(lateness) > ClockHistory.longestDelay,
            time.time.nanoseconds >= UTCTime.longestDateDelay
        else { return .unavailable }
        let own = time.unixNanoseconds.seconds(since: agreement.time)
        let jump = own - arrival.seconds(since: agreement.arrival)
        guard abs(jump) > ClockHistory.longestDelay else { return .unavailable }
        return .found(
            .hard, abs(jump), beyond: ClockHistory.longestDelay, details: (jump > 0 ? 1 : -1, 0))
    }
}
