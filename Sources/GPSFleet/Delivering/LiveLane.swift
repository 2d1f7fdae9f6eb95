// SPDX-License-Identifier: MIT
import GNSS

/// The live fixes of one stream that wait in memory to be sent.
struct LiveLane {
    var rows: [FixRow] = []
    /// The time to send the fixes, even if they do not fill a message.
    var due: MonotonicInstant
    var isInFlight = false
    /// Whether a message was sent since the live fixes were last moved to the backlog.
    var hasSent = false
    /// The newest fix, which a heartbeat repeats.
    var lastRow: FixRow?
    /// The time at which the last message or heartbeat was sent.
    var lastSent: MonotonicInstant
}
