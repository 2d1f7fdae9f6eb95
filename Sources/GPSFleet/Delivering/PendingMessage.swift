// SPDX-License-Identifier: MIT
import GNSS

/// A message on its way to an engine.
struct PendingMessage {
    /// The fixes of a message.
    enum Origin {
        /// The live fixes of a stream.
        case live(Int64)
        case backlog
        /// The engine had acknowledged it before.
        case kept(KeptMessages.Resend)

        /// Whether live fixes go first.
        var isBacklog: Bool { if case .live = self { false } else { true } }
    }

    let message: EngineMessage
    let origin: Origin
    var sent: MonotonicInstant
    /// The numbers of its fixes, which leave the spool with its acknowledgement.
    var sequences: [Int64] = []
}
