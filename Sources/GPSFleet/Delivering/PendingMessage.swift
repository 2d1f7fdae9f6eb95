// SPDX-License-Identifier: MIT
import GNSS

/// A message that was sent to an engine and not answered yet.
struct PendingMessage {
    /// The source of a message's fixes.
    enum Origin {
        /// The live fixes of a stream.
        case live(Int64)
        case backlog
        /// A message that the engine had acknowledged before.
        case kept(KeptMessages.Resend)

        /// Whether the message is sent after live fixes.
        var isBacklog: Bool { if case .live = self { false } else { true } }
    }

    let message: EngineMessage
    let origin: Origin
    var sent: MonotonicInstant
    /// The numbers of its fixes; the acknowledgement removes them from the spool.
    var sequences: [Int64] = []
}
