// SPDX-License-Identifier: MIT
import GNSS

/// The time of a fix, by its receiver and by this machine's clock.
struct VoteInstant {
    let receiver: Int
    /// Nanoseconds of the receiver's time.
    let time: Int64?
    /// When it arrived; `nil` for a recording.
    let arrival: MonotonicInstant?

    /// Seconds after another instant, by the receivers' times; `nil` if they are not known.
    func timeSeconds(since other: VoteInstant) -> Double? {
        guard let time, let earlier = other.time else { return nil }
        let (nanoseconds, overflow) = time.subtractingReportingOverflow(earlier)
        return overflow ? .infinity : Double(nanoseconds) / 1e9
    }

    /// Seconds after another instant, by the arrivals; `nil` for recordings.
    func arrivalSeconds(since other: VoteInstant) -> Double? {
        guard let arrival, let earlier = other.arrival else { return nil }
        return arrival.seconds(since: earlier)
    }
}

/// Which receivers have the same time.
///
/// Two receivers have it if their last fixes of one instant arrived together. Else the delay tells: a receiver
/// with another time can only be compared by arrivals.
struct SharedTime {
    /// Seconds by which the arrival of fixes of one instant may differ: a line of 9600 baud, a slow
    /// receiver.
    private static let longestDelay = 0.9
    /// The longest step of a receiver's own time, in seconds, that its arrivals need not confirm: data may
    /// have been held back.
    private static let longestStep = 30.0

    private let count: Int
    /// For each pair, the number of fixes since they last came together; the first of two is one.
    private var misses: [UInt8]

    init(count: Int) {
        self.count = count
        misses = Array(repeating: .max, count: count * count)
    }

    /// Compares a new fix with the last ones of the others.
    mutating func update(_ new: VoteInstant, with others: some Sequence<VoteInstant>) {
        for other in others where other.receiver != new.receiver {
            let places = [
                new.receiver * count + other.receiver, other.receiver * count + new.receiver,
            ]
            let isTogether =
                abs(new.timeSeconds(since: other) ?? .infinity) <= ReceiverVote.tolerance
                && abs(new.arrivalSeconds(since: other) ?? 0) <= Self.longestDelay
            for place in places {
                misses[place] = isTogether ? 0 : misses[place] == .max ? .max : misses[place] + 1
            }
        }
    }

    /// The seconds from one instant to another, and whether their receivers have the same time. If they
    /// don't, the arrivals count.
    func seconds(
        from earlier: VoteInstant, to later: VoteInstant
    ) -> (seconds: Double, isSameTime: Bool) {
        let arrivals = later.arrivalSeconds(since: earlier)
        guard let times = later.timeSeconds(since: earlier) else { return (arrivals ?? 0, true) }
        guard let arrivals else { return (times, true) }
        if later.receiver == earlier.receiver {
            return (abs(times - arrivals) <= Self.longestStep ? times : arrivals, true)
        }
        if misses[later.receiver * count + earlier.receiver] <= 1 { return (times, true) }
        return abs(times - arrivals) <= Self.longestDelay ? (times, true) : (arrivals, false)
    }
}
