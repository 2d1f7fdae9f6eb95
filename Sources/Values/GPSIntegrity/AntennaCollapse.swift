// SPDX-License-Identifier: MIT
import GNSS

/// Detects that receivers with separate antennas report the same point, because one transmitter
/// sends their signals.
struct AntennaCollapse {
    private struct Pair: Hashable, Comparable {
        let a: Int
        let b: Int

        static func < (one: Pair, other: Pair) -> Bool { (one.a, one.b) < (other.a, other.b) }
    }

    /// A period in which two antennas have reported the same point.
    private struct Coincidence {
        /// The instants at which they reported the same point first (`begin`), and at which they
        /// were last compared (`last`).
        let begin: VoteInstant
        var last: VoteInstant
        /// The longest time without a comparison after which the period continues, in seconds.
        var longestGap: Double
        /// The UTC time of `begin`; `nil` if it is not known.
        let time: UTCTime?
        /// The evidence; `nil` while the period is so short that the coincidence may be chance.
        var reason: Integrity.Reason?
    }

    private var coincidences: [Pair: Coincidence] = [:]

    /// Returns the evidence that two antennas report the same point; `nil` if no two antennas do.
    /// If several pairs do, the evidence is that of the first pair. Evidence that is too old is
    /// ignored, because one of the receivers has lost its position. `age` returns the age of an
    /// instant in seconds.
    func reason(age: (VoteInstant) -> Double) -> Integrity.Reason? {
        coincidences.filter {
            $0.value.reason != nil && abs(age($0.value.last)) <= $0.value.longestGap
        }.min { $0.key < $1.key }?.value.reason
    }

    /// Compares the positions of antennas `a` and `b` at the same time. `arm` is the known distance
    /// between the antennas, `distance` the distance between their positions, both in metres; `period`
    /// is the time between two fixes of the slower receiver, in seconds.
    mutating func update(
        _ a: Int, _ b: Int, arm: Double, distance: Double, error: PlaneError, period: Double,
        at instant: VoteInstant, time: UTCTime?, _ settings: ReceiverVote.Settings
    ) {
        guard arm >= settings.collapseArm else { return }
        let pair = Pair(a: a, b: b)
        let limit = arm / 3
        let longestGap = max(settings.collapseTime, 2.5 * period)
        var former = coincidences[pair]
        if let last = former?.last, !(0...longestGap ~= Self.seconds(from: last, to: instant)) {
            // Whether they coincided in the gap is unknown, or a recording has begun again.
            former = nil
        }
        // Positions with a large uncertainty can coincide by chance.
        guard distance < limit, error.total.squareRoot() < limit / 2 else {
            // After a detection, the evidence is kept until the positions are clearly separate.
            if former?.reason == nil || distance > arm / 2 { former = nil }
            former?.last = instant
            coincidences[pair] = former
            return
        }
        var coincidence =
            former
            ?? Coincidence(begin: instant, last: instant, longestGap: longestGap, time: time)
        (coincidence.last, coincidence.longestGap) = (instant, longestGap)
        let seconds = Self.seconds(from: coincidence.begin, to: instant)
        if seconds >= settings.collapseTime {
            coincidence.reason = Integrity.Reason(
                test: .antennasCollapsed, value: distance, threshold: limit, unit: "m",
                since: coincidence.time, start: coincidence.begin.arrival,
                text: "antennas \(String(arm, atMostDecimals: 1)) m apart report the same position "
                    + "for \(String(seconds, decimals: 0)) s")
        }
        coincidences[pair] = coincidence
    }

    /// Removes all coincidences of a receiver that was unplugged.
    mutating func lose(_ receiver: Int) {
        coincidences = coincidences.filter { $0.key.a != receiver && $0.key.b != receiver }
    }

    private static func seconds(from earlier: VoteInstant, to later: VoteInstant) -> Double {
        // Both instants are from the same receiver, so its own time can be used.
        later.timeSeconds(since: earlier) ?? later.receivedSeconds(since: earlier)
    }
}
