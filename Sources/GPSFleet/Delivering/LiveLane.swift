// SPDX-License-Identifier: MIT
import GNSS

/// The live fixes of a receiver, which wait in memory.
struct LiveLane {
    var rows: [FixRow] = []
    /// When its fixes are sent even if they are few.
    var due: MonotonicInstant
    var isInFlight = false
    /// Whether it has sent a message since the connection was made.
    var hasSent = false
    var lastRow: FixRow?
    var lastSent: MonotonicInstant
}
