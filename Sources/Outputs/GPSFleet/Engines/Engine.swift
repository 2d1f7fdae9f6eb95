// SPDX-License-Identifier: MIT

/// A message that an `Engine` sends to its server.
package struct EngineMessage: Sendable, Equatable {
    /// The NATS subject or MQTT topic; empty for HTTP.
    package var destination: String
    /// The message's id, which the acknowledgement contains. NATS drops a message whose id it
    /// already has.
    package var id: String
    /// The encoded content of the message.
    package var bytes: [UInt8]
    /// Whether MQTT retains the message for later subscribers.
    package var isRetained = false
}

/// An event that an `Engine` reports.
package enum EngineEvent: Sendable {
    /// The server accepts messages from now on.
    case connected
    /// The `Engine` accepts messages, but connects only when the first one is sent.
    case ready
    /// The server temporarily accepts no messages, for the given reason.
    case disconnected(String)
    /// The server has stored the message with this id. The receipt is `nil` if the server does not
    /// report where.
    case stored(id: String, StoreReceipt?)
    /// The message with this id was not stored, or it is unknown whether it was, because no answer
    /// arrived.
    case failed(id: String, EngineFailure)
    /// The server does not accept the message with this id, and may never do so.
    case refused(id: String, EngineRefusal)
    /// The answer to a call of `Engine.check` with this token.
    case checked(token: Int, StorePresence)
    /// A line for the log.
    case note(String)
}

/// The reason why a message was not stored.
package struct EngineFailure: Error, Sendable, Equatable {
    /// The reason in words.
    package let text: String
    /// Whether the server can temporarily store no message at all, so an immediate retry is
    /// useless.
    package let isGeneral: Bool
    /// The minimum time until the next attempt; `nil` if the server demands none.
    package let retryAfter: Duration?
    /// Whether the message itself may be the cause, because the server has answered it with an
    /// error.
    package let mayBeOfMessage: Bool

    /// Creates a failure.
    package init(
        _ text: String, isGeneral: Bool, retryAfter: Duration? = nil, mayBeOfMessage: Bool = false
    ) {
        self.text = text
        self.isGeneral = isGeneral
        self.retryAfter = retryAfter
        self.mayBeOfMessage = mayBeOfMessage
    }
}

/// The reason why a server does not accept a message.
package struct EngineRefusal: Error, Sendable, Equatable {
    /// The reason in words.
    package let text: String
    /// Whether the server refuses all messages of this receiver.
    package let isOfReceiver: Bool
    /// Whether the server has only failed to store the message, so it may accept the message later.
    package let mayBeTemporary: Bool

    /// Creates a refusal.
    package init(_ text: String, isOfReceiver: Bool, mayBeTemporary: Bool = false) {
        self.text = text
        self.isOfReceiver = isOfReceiver
        self.mayBeTemporary = mayBeTemporary
    }
}

/// A connection to a server that stores messages. It reports the result of each message with an
/// event, which may arrive on any thread.
package protocol Engine: Sendable {
    /// The maximum number of messages in flight: sent, but not answered.
    var window: Int { get }

    /// Whether the fixes of each receiver are sent oldest first, one message at a time, unless the
    /// user chooses another order.
    var isOrdered: Bool { get }

    /// Starts to connect. Throws an error if connecting can never succeed.
    func start(onEvent: @escaping @Sendable (EngineEvent) -> Void) throws(FleetError)

    /// Sends a message. An event reports the result.
    func send(_ message: EngineMessage)

    /// Checks whether the server still has the message with this id at `position`, which a receipt
    /// has reported. A `checked` event with `token` reports the result.
    func check(_ id: String, at position: StreamPosition, token: Int)

    /// Disconnects, and stops reporting events.
    func close()
}

extension Engine {
    /// By default, `false`: live fixes are sent before older ones, and several messages at once.
    package var isOrdered: Bool { false }

    /// By default, does nothing, for a server that sends no receipts.
    package func check(_ id: String, at position: StreamPosition, token: Int) {}
}
