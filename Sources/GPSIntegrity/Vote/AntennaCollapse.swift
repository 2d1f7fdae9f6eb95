// SPDX-License-Identifier: MIT
import GNSS

/// Antennas that are apart and report one point: their signals come from one transmitter.
struct AntennaCollapse {
    private struct Pair: Hashable {
        let a: Int
        let b: Int
    }

    private struct Begin {
        let instant: VoteInstant
        let time: UTCTime?
    }

    private var begins: [Pair: Begin] = [:]
    /// The evidence; `nil` without any.
    private(set) var reason: Integrity.Reason?

    /// Compares two positions of an instant, not corrected by lever arms.
    mutating func update(
        _ a: Int, _ b: Int, arm: Double, distance: Double, error: PlaneError,
        at instant: VoteInstant, time: UTCTime?, _ settings: ReceiverVote.Settings
    ) {
        guard arm >= settings.collapseArm else { return }
        let pair = Pair(a: a, b: b)
        let limit = arm / 3
        // Positions as uncertain as that may be one point by chance.
        guard distance < limit, error.total.squareRoot() < limit / 2 else {
            // Once found, it ends only where the positions are clearly apart.
            if begins[pair] != nil, reason == nil || distance > arm / 2 {
                begins[pair] = nil
                reason = nil
            }
            return
        }
        guard let begin = begins[pair] else {
            begins[pair] = Begin(instant: instant, time: time)
            return
        }
        // Both instants are of the first receiver.
        let seconds =
            instant.timeSeconds(since: begin.instant)
            ?? instant.arrivalSeconds(since: begin.instant) ?? 0
        guard seconds >= settings.collapseTime else { return }
        reason = Integrity.Reason(
            test: .antennasCollapsed, value: distance, threshold: limit, unit: "m",
            since: begin.time, start: begin.instant.arrival,
            text: "antennas \(String(arm, atMostDecimals: 1)) m apart report one point "
                + "for \(String(seconds, decimals: 0)) s")
    }
}
