// SPDX-License-Identifier: MIT
import GNSS

/// The time of a fix according to its receiver, and its arrival time on this machine's clock.
struct VoteInstant {
    let receiver: Int
    /// The time of the fix; `nil` if it has no date.
    let time: UTCTime?
    /// The time of day of the fix; `nil` if it is not known.
    let timeOfDay: TimeOfDay?
    /// When the first byte of the fix arrived; `nil` for a recording.
    let arrival: MonotonicInstant?
    /// When the vote received the fix; `nil` before the first fix.
    let received: MonotonicInstant?

    /// Returns the seconds since `other` according to the times of the fixes; `nil` if either has
    /// none. If either has no date, the times of day are compared.
    func timeSeconds(since other: VoteInstant) -> Double? {
        guard let time, let earlier = other.time else { return timeOfDaySeconds(since: other) }
        // At midnight, a receiver may change the date some seconds after the time of day.
        if receiver == other.receiver, time.hasPreviousDate(comparedTo: earlier) {
            return Double(time.time.nanoseconds(since: earlier.time)) / 1e9
        }
        // A leap second and the midnight after it have the same Unix time.
        return time.nanoseconds(since: earlier).map { Double($0) / 1e9 } ?? .infinity
    }

    /// Returns whether one of the two fixes still has the previous date just after midnight.
    func hasOtherDateAtMidnight(than other: VoteInstant) -> Bool {
        guard let time, let otherTime = other.time else { return false }
        return time.hasPreviousDate(comparedTo: otherTime)
            || otherTime.hasPreviousDate(comparedTo: time)
    }

    /// Returns the seconds since `other` according to the times of day, up to half a day; `nil` if
    /// either has none.
    func timeOfDaySeconds(since other: VoteInstant) -> Double? {
        guard let timeOfDay, let earlier = other.timeOfDay else { return nil }
        return Double(timeOfDay.nanoseconds(since: earlier)) / 1e9
    }

    /// Returns the seconds since `other` according to the arrival times; `nil` for recordings.
    func arrivalSeconds(since other: VoteInstant) -> Double? {
        guard let arrival, let earlier = other.arrival else { return nil }
        return arrival.seconds(since: earlier)
    }

    /// Returns the seconds since `other` according to this machine's clock, for fixes without a
    /// time.
    func receivedSeconds(since other: VoteInstant) -> Double {
        guard let received, let earlier = other.received else { return 0 }
        return arrivalSeconds(since: other) ?? received.seconds(since: earlier)
    }
}

/// Determines which receivers agree about the current time, so that the times of their fixes can be
/// compared.
///
/// Two receivers agree about the time if their last fixes with equal times arrived together. If
/// they have no such fixes, they agree if the difference between the times of two fixes is within
/// 0.9 s of the difference between their arrivals. The fixes of receivers that do not agree are
/// compared by their arrivals. In recordings, which have no arrivals, they are compared by their
/// times of day, without the dates.
struct SharedTime {
    /// The largest difference between the arrivals of fixes with equal times, in seconds. It is
    /// large enough for a serial line at 9600 baud and a slow receiver.
    static let maximumDelay = 0.9
    /// The time between two fixes of one receiver is calculated from their times, unless the result
    /// differs from the time between their arrivals by more than this, in seconds. Buffered data
    /// can cause smaller differences.
    private static let maximumStep = 30.0
    /// If the times of two recordings differ by more than this value, in seconds, the recordings
    /// are from different days. Only their times of day are then compared.
    private static let otherDate = 43_200.0

    private let count: Int
    /// For each pair of receivers, the number of fixes since two with equal times last arrived
    /// together; `UInt8.max` if they never did.
    private var misses: [UInt8]

    init(count: Int) {
        self.count = count
        misses = Array(repeating: .max, count: count * count)
    }

    /// Compares a new fix with the last fixes of the other receivers.
    mutating func update(_ new: VoteInstant, with others: some Sequence<VoteInstant>) {
        for other in others where other.receiver != new.receiver {
            let indices = [
                new.receiver * count + other.receiver, other.receiver * count + new.receiver,
            ]
            let isTogether =
                abs(new.timeSeconds(since: other) ?? .infinity) <= ReceiverVote.tolerance
                && abs(new.arrivalSeconds(since: other) ?? 0) <= Self.maximumDelay
            // Receivers that agreed before midnight do so again when both have changed the date.
            let limit = new.hasOtherDateAtMidnight(than: other) ? UInt8.max - 1 : .max
            for index in indices {
                if isTogether {
                    misses[index] = 0
                } else if misses[index] < limit {
                    misses[index] += 1
                }
            }
        }
    }

    /// Returns the seconds from one fix to another, and whether the times of both receivers agree.
    /// If they do not agree, the arrivals are compared or, in recordings, the times of day.
    func seconds(
        from earlier: VoteInstant, to later: VoteInstant
    ) -> (seconds: Double, isSameTime: Bool) {
        let arrivals = later.arrivalSeconds(since: earlier)
        guard let times = timeSeconds(from: earlier, to: later) else {
            return (later.receivedSeconds(since: earlier), true)
        }
        guard let arrivals else {
            guard later.receiver != earlier.receiver, abs(times) > Self.otherDate,
                let timesOfDay = later.timeOfDaySeconds(since: earlier)
            else { return (times, true) }
            return (timesOfDay, false)
        }
        if later.receiver == earlier.receiver {
            return (abs(times - arrivals) <= Self.maximumStep ? times : arrivals, true)
        }
        if misses[later.receiver * count + earlier.receiver] <= 1 { return (times, true) }
        return abs(times - arrivals) <= Self.maximumDelay ? (times, true) : (arrivals, false)
    }

    /// Returns the seconds from one fix to another according to their times; `nil` if either has
    /// none. If one of two receivers still reports the previous date just after midnight, their
    /// times of day are compared. The dates of receivers that never agreed, or not for long, are
    /// compared even then.
    private func timeSeconds(from earlier: VoteInstant, to later: VoteInstant) -> Double? {
        guard let start = earlier.time, let end = later.time,
            earlier.receiver != later.receiver,
            misses[later.receiver * count + earlier.receiver] < .max,
            later.hasOtherDateAtMidnight(than: earlier)
        else { return later.timeSeconds(since: earlier) }
        return Double(end.time.nanoseconds(since: start.time)) / 1e9
    }
}
