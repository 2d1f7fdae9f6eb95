// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

extension LocationManagerState {
    /// A receiver as this manager knows it.
    struct Receiver {
        var condition = ReceiverCondition.searching
        /// Whether it has been open since it was joined.
        var hasBeenOpen = false
        var hasFix = false
        /// Since when a fix is waited for.
        var fixWaitStart: MonotonicInstant?
        /// The number of the join that counts; what an earlier one is sent belongs to updates that have been stopped.
        /// `nil` if its session is not joined.
        var join: Int?

        /// Whether it could not be opened and is not waited for; the next start tries again.
        var hasFailed: Bool {
            condition.hasEnded && condition.error != nil && !hasBeenOpen
        }

        /// Whether it has been read to its end.
        var hasEnded: Bool { condition.hasEnded && !hasFailed }

        /// Back to the beginning, unless it has ended.
        mutating func forget() {
            let end = condition.hasEnded ? condition : .searching
            self = Receiver(condition: end, hasBeenOpen: hasBeenOpen)
        }
    }
}
