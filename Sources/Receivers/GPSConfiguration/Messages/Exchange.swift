// SPDX-License-Identifier: MIT
import UBX

/// A request and the receiver's reply. Only one exchange is in progress at a time.
struct Exchange: Hashable, Sendable {
    /// The outcome of a request.
    enum Outcome: Hashable, Sendable {
        /// The receiver accepted the request and sent these messages.
        case accepted([ReceivedMessage])
        /// The receiver refused the request.
        case refused
        /// The receiver did not reply in time.
        case silent
    }

    /// The bytes of the request.
    var bytes: [UInt8]
    /// The expected replies.
    var reply: ExpectedReply
    /// The maximum number of times that the request is sent.
    var attempts = 2
    /// How long to wait for the reply; `nil` for the default, which depends on the line.
    var timeout: Duration?
    /// How long to wait before the next request.
    var settling = Duration.zero
    /// Whether some receivers do not know the request, so that a missing reply is not a problem.
    var isOptional = false

    init(
        _ bytes: [UInt8], attempts: Int = 2, timeout: Duration? = nil,
        settling: Duration = .zero, isOptional: Bool = false, reply: ExpectedReply? = nil
    ) {
        self.bytes = bytes
        self.attempts = attempts
        self.timeout = timeout
        self.settling = settling
        self.isOptional = isOptional
        self.reply = reply ?? ExpectedReply(to: bytes)
    }

    /// Returns a request that shows whether a receiver answers.
    static func probe(_ bytes: [UInt8]) -> Exchange {
        Exchange(bytes, attempts: 3, timeout: .milliseconds(700))
    }
}

extension Exchange.Outcome {
    /// Returns the first message of the reply, decoded as `type`; `nil` if the request was not
    /// accepted or that message has another format.
    func answer<Message: UBXMessage>(_ type: Message.Type) -> Message? {
        guard case .accepted(let messages) = self, case .ubx(_, let payload)? = messages.first
        else { return nil }
        return Message(payload: payload.span)
    }
}
