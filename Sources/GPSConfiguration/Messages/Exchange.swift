// SPDX-License-Identifier: MIT

/// A request and what the receiver made of it. Only one is under way at a time.
struct Exchange: Hashable, Sendable {
    /// The outcome of a request.
    enum Outcome: Hashable, Sendable {
        /// It was accepted, with these messages.
        case accepted([ReceivedMessage])
        /// It was refused.
        case refused
        /// Nothing came in time.
        case silent
    }

    /// The request.
    var bytes: [UInt8]
    /// The replies to wait for.
    var reply: ExpectedReply
    /// How often it is sent.
    var attempts = 2
    /// How long to wait for the reply.
    var timeout: Duration?
    /// How long to leave the receiver alone afterwards.
    var settling = Duration.zero

    init(
        _ bytes: [UInt8], attempts: Int = 2, timeout: Duration? = nil,
        settling: Duration = .zero
    ) {
        self.bytes = bytes
        self.attempts = attempts
        self.timeout = timeout
        self.settling = settling
        reply = ExpectedReply(to: bytes)
    }
}
