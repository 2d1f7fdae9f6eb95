// SPDX-License-Identifier: MIT
import GNSS

/// A message that was sent to a server and is neither stored nor refused.
struct PendingMessage {
    /// Where the message comes from.
    enum Origin {
        /// The live fixes of the stream with this number.
        case live(Int64)
        /// Fixes that were read from the spool.
        case backlog
        /// A message that the server has acknowledged and may have lost since.
        case kept(KeptMessages.Resend)

        /// Whether the message counts as backlog, which includes kept messages.
        var isBacklog: Bool { if case .live = self { false } else { true } }
    }

    let message: EngineMessage
    /// The receiver; `nil` for a kept message.
    let member: MemberName?
    var origin: Origin
    /// The time at which the message was last sent.
    var sent: MonotonicInstant
    /// The sequence numbers of the message's fixes, which are removed from the spool when the
    /// server acknowledges the message.
    var sequences: [Int64] = []
    /// The number of failures for which the message itself may be the cause.
    var failureCount = 0
}
