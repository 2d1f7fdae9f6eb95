// SPDX-License-Identifier: MIT
import GNSS

/// The live fixes of a receiver, waiting in memory.
struct LiveLane {
    var rows: [FixRow] = []
    /// When the fixes are sent even if they do not fill a message.
    var due: MonotonicInstant
    var isInFlight = false
    /// Whether a message was sent since the connection was made.
    var hasSent = false
    var lastRow: FixRow?
    var lastSent: MonotonicInstant
}
