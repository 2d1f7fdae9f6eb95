// SPDX-License-Identifier: MIT
import GNSS

/// A request that has been sent, and the part of its reply that has been received.
struct PendingExchange: Sendable {
    /// The result of reaching the deadline without a complete reply.
    enum Expiry {
        /// The exchange has ended.
        case concluded(Exchange.Outcome)
        /// Send the request again.
        case sendAgain([UInt8])
    }

    /// The request and its expected reply.
    let exchange: Exchange
    /// The number of times that the request was sent.
    private(set) var attempt = 1
    /// When to call `expire(at:)`.
    private(set) var deadline: MonotonicInstant
    private let timeout: Duration
    private var received: [ReceivedMessage] = []
    private var isAccepted = false

    /// The pause after which an open-ended reply is complete.
    private static let listPause = Duration.milliseconds(300)
    /// The maximum number of messages in a reply. A receiver that sends more is faulty.
    private static let limit = 2048

    init(_ exchange: Exchange, timeout: Duration, at now: MonotonicInstant) {
        self.exchange = exchange
        self.timeout = timeout
        deadline = now + timeout
    }

    /// Handles a message from the line. Returns the outcome when the reply is complete.
    mutating func receive(_ message: ReceivedMessage, at now: MonotonicInstant) -> Exchange.Outcome?
    {
        let reply = exchange.reply
        guard let part = reply.part(message) else { return nil }
        switch part {
        case .refusal: return .refused
        case .acceptance: isAccepted = true
        case .answer: break
        }
        guard received.count < Self.limit else { return .refused }
        // An acceptance may have content: `$PQTMCFGUART,OK,…`, the number of entries.
        if part == .answer || reply.acceptanceHasContent(message) { received.append(message) }
        let hasAnswer =
            !reply.needsAnswer || received.contains { reply.part($0) == .answer }
        let isComplete = hasAnswer && (isAccepted || !reply.needsAcceptance)
        if reply.isOpenEnded {
            if isComplete { deadline = now + Self.listPause }
            return nil
        }
        if isComplete { return .accepted(received) }
        if reply.isList {
            deadline = now + timeout
        } else if part == .answer, reply.needsAnswer {
            // The acknowledgement of a poll follows its answer soon, unless the chip sends none. A
            // shorter timeout then saves time.
            deadline = min(deadline, now + timeout / 2)
        }
        return nil
    }

    /// Returns what to do now that the deadline has passed.
    mutating func expire(at now: MonotonicInstant) -> Expiry {
        let reply = exchange.reply
        if reply.isNone { return .concluded(.accepted([])) }
        if isAccepted, reply.isOpenEnded { return .concluded(.accepted(received)) }
        // An answer is sufficient, even if its acknowledgement was lost.
        if reply.needsAnswer, received.contains(where: { reply.part($0) == .answer }) {
            return .concluded(.accepted(received))
        }
        guard attempt < exchange.attempts else { return .concluded(.silent) }
        attempt += 1
        deadline = now + timeout
        return .sendAgain(exchange.bytes)
    }
}
