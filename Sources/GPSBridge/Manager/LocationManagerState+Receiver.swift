// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

extension LocationManagerState {
    /// The state of one receiver.
    struct Receiver {
        var condition = ReceiverCondition.searching
        /// Whether it has been open since its session was joined.
        var hasBeenOpen = false
        var hasFix = false
        /// The last verdict on its position.
        var integrity: Integrity?
        /// The time since which a fix is expected; in the future after a missing fix was reported.
        var fixWaitStart: MonotonicInstant?
        /// The number of the current join; updates for an earlier one belong to stopped updates.
        /// `nil` if its session is not joined.
        var join: Int?

        /// Whether opening failed permanently; the next start tries again.
        var hasFailed: Bool {
            condition.hasEnded && condition.error != nil && !hasBeenOpen
        }

        /// Whether it has been read to its end.
        var hasEnded: Bool { condition.hasEnded && !hasFailed }

        /// Resets the state, except that an ended receiver stays ended.
        mutating func forget() {
            let end = condition.hasEnded ? condition : .searching
            self = Receiver(condition: end, hasBeenOpen: hasBeenOpen)
        }
    }
}
