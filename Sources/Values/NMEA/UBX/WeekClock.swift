// SPDX-License-Identifier: MIT
import GNSS

/// Calculates the UTC time for messages that contain only a time of week, from an earlier message
/// that reports both times.
struct WeekClock: Equatable, Sendable {
    /// The time reported by a message.
    enum Report {
        /// The message contains only the time of week.
        case unreported
        /// The receiver does not know the time yet.
        case unknown
        /// The UTC time; the date may be missing.
        case utc(TimeOfDay, CalendarDate?)
        /// The GPS time, with the leap seconds if the receiver knows them.
        case gps(GPSTime, leapSeconds: Int?)
    }

    private struct Known: Equatable {
        var timeOfWeek: UInt32
        var time: TimeOfDay
        var date: CalendarDate?
        /// Whether the time was calculated from GPS time.
        var isFromGPS = false
    }

    /// The maximum time in milliseconds between a message and the earlier message from which its
    /// UTC time is calculated.
    private static let maximumGap: Int64 = 10_000
    private static let week: Int64 = 604_800_000

    /// Returns the time in milliseconds from one time of week to a later one, which may be in the
    /// next week.
    static func elapsed(from earlier: UInt32, to later: UInt32) -> Int64 {
        let elapsed = Int64(later) - Int64(earlier)
        return elapsed < 0 ? elapsed + week : elapsed
    }

    /// The largest difference between the times of week of one epoch's messages, in milliseconds.
    private static let tolerance: Int64 = 10

    /// Returns the time in milliseconds from one epoch to another one, which may be earlier; `nil` if
    /// both times of week belong to the same epoch.
    static func step(from epoch: UInt32, to other: UInt32) -> Int64? {
        let elapsed = elapsed(from: epoch, to: other)
        let step = elapsed > week / 2 ? elapsed - week : elapsed
        return step.magnitude < tolerance ? nil : step
    }

    private var known: Known?
    /// The time of week of the last message, in milliseconds, if that message was late; otherwise
    /// `nil`.
    private var lateTime: UInt32?
    /// The leap seconds that the receiver has reported; `nil` until then.
    private var leapSeconds: Int?

    /// Returns the UTC time of an epoch, possibly without a date; `nil` if it is not known. The
    /// date is not corrected by `rollover`, but the leap seconds are those of the corrected date.
    mutating func time(
        of timeOfWeek: UInt32, _ report: Report, _ rollover: WeekRollover? = nil
    ) -> (time: TimeOfDay, date: CalendarDate?)? {
        switch report {
        case .unreported:
            break
        case .unknown:
            known = nil
        case .utc(let time, let date):
            known = Known(timeOfWeek: timeOfWeek, time: time, date: date)
        case .gps(let instant, let reported):
            leapSeconds = reported ?? leapSeconds
            // GPS time is used only if UTC is not known from another message, because the receiver
            // may use different leap seconds for its UTC.
            if known?.isFromGPS == false, let utc = derived(timeOfWeek) {
                known = Known(timeOfWeek: timeOfWeek, time: utc.time, date: utc.date)
            } else if let utc = instant.utc(
                leapSeconds: leapSeconds ?? Self.leapSeconds(at: instant, rollover))
            {
                known = Known(
                    timeOfWeek: timeOfWeek, time: utc.time, date: utc.date, isFromGPS: true)
            }
        }
        return derived(timeOfWeek)
    }

    /// Returns the leap seconds in the built-in table for an instant whose date `rollover`
    /// corrects; `nil` if it does not correct it.
    private static func leapSeconds(at instant: GPSTime, _ rollover: WeekRollover?) -> Int? {
        guard let rollover, let date = instant.utc()?.date else { return nil }
        let days = rollover.missingDays(of: date)
        return days == 0 ? nil : GPSTime.leapSeconds(on: date.adding(days: days))
    }

    /// Returns whether a message is late: it belongs to an earlier epoch. `step` is the time in
    /// milliseconds from the current epoch to the epoch of the message. A step backward by more
    /// than ten seconds means that the receiver has set its clock. So do two late messages in a row
    /// with increasing times, although a network may also deliver two packets late.
    mutating func isLate(_ step: Int64, at timeOfWeek: UInt32) -> Bool {
        let former = lateTime
        lateTime = nil
        guard -Self.maximumGap..<0 ~= step else { return false }
        if let former, let advance = Self.step(from: former, to: timeOfWeek), advance > 0 {
            return false
        }
        lateTime = timeOfWeek
        return true
    }

    /// Records that a message was not late.
    mutating func notePunctual() { lateTime = nil }

    private func derived(_ timeOfWeek: UInt32) -> (time: TimeOfDay, date: CalendarDate?)? {
        guard let known else { return nil }
        let elapsed = Self.elapsed(from: known.timeOfWeek, to: timeOfWeek)
        guard elapsed <= Self.maximumGap else { return nil }
        guard elapsed > 0 else { return (known.time, known.date) }
        var step = elapsed * 1_000_000
        if known.time.isLeapSecond {
            let inSecond = Int64(known.time.nanosecond) + step
            if let time = TimeOfDay(hour: 23, minute: 59, second: 60, nanosecond: Int(inSecond)) {
                return (time, known.date)
            }
            // Unix time does not count the leap second.
            step -= 1_000_000_000
        }
        guard let date = known.date else {
            return (TimeOfDay(wrapping: known.time.nanoseconds + step), nil)
        }
        let later = UTCTime(date: date, time: known.time).advanced(by: step)
        return later.map { ($0.time, $0.date) }
    }
}

extension UTCTime {
    /// Returns the instant that is `nanoseconds` later; `nil` if it is outside the range that
    /// `UTCTime` can represent.
    fileprivate func advanced(by nanoseconds: Int64) -> UTCTime? {
        let (sum, overflows) = unixNanoseconds.addingReportingOverflow(nanoseconds)
        return overflows ? nil : UTCTime(unixNanoseconds: sum)
    }
}

extension WeekClock.Report {
    /// Creates a report from a calendar date and a time of day, rounded to milliseconds.
    init(
        year: UInt16, month: UInt8, day: UInt8, hour: UInt8, minute: UInt8, second: UInt8,
        nanoseconds: Int32, isDateKnown: Bool, isTimeKnown: Bool
    ) {
        guard isTimeKnown,
            let time = TimeOfDay(hour: Int(hour), minute: Int(minute), second: Int(second))
        else {
            self = .unknown
            return
        }
        let known = isDateKnown && year > 1980
        let date =
            known ? CalendarDate(year: Int(year), month: Int(month), day: Int(day)) : nil
        // Epochs differ from whole milliseconds of UTC by up to half a millisecond, because of the
        // error of the receiver's clock.
        let milliseconds = (Int64(nanoseconds) + 500_500_000) / 1_000_000 - 500
        guard milliseconds != 0 else {
            self = .utc(time, date)
            return
        }
        let (day, offset) = (date ?? .unixEpoch, milliseconds * 1_000_000)
        if time.isLeapSecond, milliseconds > 0, milliseconds < 1000 {
            let inLeap = TimeOfDay(hour: 23, minute: 59, second: 60, nanosecond: Int(offset))
            self = .utc(inLeap ?? time, date)
            return
        }
        guard let exact = UTCTime(date: day, time: time).advanced(by: offset) else {
            self = .unknown
            return
        }
        self = .utc(exact.time, date == nil ? nil : exact.date)
    }
}
