// SPDX-License-Identifier: MIT
import GNSS

/// The most recently published instants, which must not be published again, the period between
/// them, and how many epochs repeated each of the two latest ones.
struct RecentTimes: Equatable, Sendable {
    private static let capacity = 4
    /// The longest step between two instants that counts as a period, in nanoseconds: one minute.
    private static let maximumPeriod: Int64 = 60_000_000_000

    private struct Instant: Equatable {
        var time: TimeOfDay
        /// `time` with its date; `nil` if the date is not known or not trusted.
        var date: UTCTime?
        /// The time of arrival of the epoch or of its last repetition; `nil` if it is not known.
        var arrival: MonotonicInstant?
    }

    /// The time of arrival of the bytes that are being decoded; `nil` if it is not known, as for a
    /// recording.
    var arrival: MonotonicInstant?
    /// The instants, the latest first.
    private var instants: [Instant] = []
    private(set) var period: Int64?
    /// The number of epochs that have repeated the latest instant instead of beginning a new one.
    private var repetitions = 0
    /// The final value of `repetitions` for the instant before the latest one, at least 1. A receiver
    /// with five fixes per second, and times in whole seconds, repeats each instant.
    private var previousRepetitions = 1
    /// The index, in `instants`, of the instant that the last epoch repeated; `nil` if its instant
    /// was new.
    private var repeatedIndex: Int?
    /// Whether epochs since the latest instant repeated two instants, one after the other.
    private var hasGoneBack = false
    /// The maximum of `previousRepetitions`, for 25 fixes per second with times in whole seconds.
    private static let maximumRepetitions = 24
    /// One second, in nanoseconds.
    private static let second: Int64 = 1_000_000_000
    /// The largest difference between two times of the same instant, in nanoseconds: that of
    /// `TimeOfDay`, or half the period of a receiver with more than 100 fixes per second.
    private(set) var tolerance = TimeOfDay.tolerance
    /// The last time in a sentence that opens epochs.
    private var opening: TimeOfDay?
    /// The step to `opening` in nanoseconds if it is shorter than the usual tolerance; otherwise `nil`.
    private var shortStep: Int64?

    init() {
        instants.reserveCapacity(Self.capacity)
    }

    /// Records the time in a sentence that opens epochs. Two equal steps shorter than the usual
    /// tolerance are the period of the receiver; a single one may separate the times of two receivers.
    @inline(__always)
    mutating func noteOpening(at time: TimeOfDay) {
        if let last = exchange(&opening, with: time), last != time {
            note(step: time.nanoseconds(since: last))
        }
    }

    private mutating func note(step: Int64) {
        guard 1..<TimeOfDay.tolerance ~= step else {
            if shortStep == nil { tolerance = TimeOfDay.tolerance }
            return shortStep = nil
        }
        // Times are rounded to milliseconds.
        if let shortStep, abs(step - shortStep) <= 1_000_000 {
            tolerance = min(step, shortStep) / 2
        }
        shortStep = step
    }

    /// Adds the time of a published epoch, with its date if that is known and trusted.
    mutating func append(_ time: TimeOfDay, on date: UTCTime?) {
        if let last = instants.first {
            let step = time.nanoseconds(since: last.time)
            // A longer step is a gap, not a period.
            period = 1...Self.maximumPeriod ~= step ? step : nil
            // Repetitions before a longer step do not count, because the clock had stopped.
            previousRepetitions =
                1...Self.second ~= step ? max(1, min(repetitions, Self.maximumRepetitions)) : 1
        }
        (repetitions, repeatedIndex) = (0, nil)
        if instants.count == Self.capacity { instants.removeLast() }
        instants.insert(Instant(time: time, date: date, arrival: arrival), at: 0)
    }

    /// Counts an epoch that only repeats an instant. Returns `true` once, when there are twice as
    /// many repetitions as for the previous instant: the receiver's clock has stopped.
    mutating func countRepetition() -> Bool {
        repetitions += 1
        return repetitions == 2 * previousRepetitions
    }

    /// Returns whether the receiver's time has gone back since the last call: it has repeated two
    /// instants in their order. A single one does not count: a receiver may send a sentence of the
    /// previous epoch in each cycle, or whole cycles twice.
    mutating func takeReturn() -> Bool {
        defer { hasGoneBack = false }
        return hasGoneBack
    }

    /// Returns whether an epoch repeats an instant that was published recently. The same time on
    /// another day is another instant: a tracker may send one fix a day, always at noon. Without a
    /// date, it is another day if the time has not arrived for half a day.
    mutating func isRepeated(_ time: TimeOfDay, on date: UTCTime?) -> Bool {
        let now = arrival
        let index = instants.firstIndex { instant in
            guard time.isSameInstant(as: instant.time, within: tolerance) else { return false }
            if let date, let other = instant.date { return !date.isOnDifferentDay(from: other) }
            guard let now, let other = instant.arrival else { return true }
            return now.seconds(since: other) < 43_200
        }
        guard let index else { return false }
        instants[index].arrival = arrival
        if let repeatedIndex, index < repeatedIndex { hasGoneBack = true }
        repeatedIndex = index
        return true
    }
}

/// The last instant with a trusted date. It dates the following epochs whose sentences have only a
/// time of day.
struct DateReference: Equatable, Sendable {
    private static let day = 86_400.0

    let time: UTCTime
    /// The time of arrival of the epoch with the date, or of its last repetition; `nil` if it is
    /// not known, as for a recording.
    var arrival: MonotonicInstant?

    /// Returns the next instant with the time of day `clock`, or the previous one if that is at
    /// most an hour before the reference. If the arrival times show that whole days have passed
    /// since the reference, these days are added.
    func onward(to clock: TimeOfDay, arriving now: MonotonicInstant?) -> UTCTime {
        let next = time.onward(to: clock)
        guard let arrival, let now, let step = next.nanoseconds(since: time) else { return next }
        let days = ((now.seconds(since: arrival) - Double(step) / 1e9) / Self.day).rounded()
        guard 1...36_500 ~= days else { return next }
        return UTCTime(date: next.date.adding(days: Int(days)), time: clock)
    }
}

extension FixAssembler {
    /// Uses a new date of this epoch for later epochs. `isAtEnd` is `true` if the next epoch begins.
    @inline(__always)  // It is called after each sentence; few have a date.
    mutating func takeDate(atEnd isAtEnd: Bool) {
        guard epoch.date?.isNew == true else { return }
        if let (date, time) = epoch.takeNewDate(atEnd: isAtEnd) { use(date, time) }
    }

    /// Uses a date of this epoch, with the time of its sentence, for later epochs.
    @inline(never)
    private mutating func use(_ date: CalendarDate, _ time: TimeOfDay) {
        missingDays = rollover?.missingDays(of: date) ?? 0
        var instant = UTCTime(date: date.adding(days: missingDays), time: time)
        if let last = reference?.time, instant.hasLastDay(after: last) {
            instant = UTCTime(date: instant.date.adding(days: 1), time: time)
            epoch.moveDateToNextDay()
        }
        reference = DateReference(time: instant, arrival: published.arrival)
        satellites.time = instant
    }

    /// Returns whether a time is the time of the current epoch, apart from rounding; `false` if one
    /// of them is not known.
    @inline(__always)
    func isSameInstant(_ time: TimeOfDay?) -> Bool {
        guard let time, let now = epoch.fix.timeOfDay else { return false }
        return time.isSameInstant(as: now, within: published.tolerance)
    }
}

extension UTCTime {
    /// Returns whether this time, which is reported just after `last`, has the date of the day before.
    /// Some receivers change their date an epoch after midnight, or change it in ZDA later than in RMC.
    fileprivate func hasLastDay(after last: UTCTime) -> Bool {
        guard time.nanoseconds < Self.longestDateDelay, let step = nanoseconds(since: last) else {
            return false
        }
        return 0..<Self.longestDateDelay ~= step &+ TimeOfDay.day
    }

    /// Returns whether two instants with the same time of day are on different days. Around
    /// midnight, one instant may have two dates, because times are rounded.
    fileprivate func isOnDifferentDay(from other: UTCTime) -> Bool {
        guard let difference = nanoseconds(since: other) else { return true }
        return difference.magnitude > TimeOfDay.day.magnitude / 2
    }
}

extension TimeOfDay {
    /// The largest difference between two times of the same instant, in nanoseconds. It allows for
    /// times that are rounded differently in different sentences.
    fileprivate static let tolerance: Int64 = 10_000_000

    /// Returns whether two times describe the same instant: they differ by less than `tolerance`
    /// nanoseconds, 10 ms by default.
    func isSameInstant(as other: TimeOfDay, within tolerance: Int64 = TimeOfDay.tolerance) -> Bool {
        abs(nanoseconds(since: other)) < tolerance
    }
}
