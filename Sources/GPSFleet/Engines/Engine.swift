// SPDX-License-Identifier: MIT

/// A message for an engine.
package struct EngineMessage: Sendable, Equatable {
    /// The subject or topic.
    package var destination: String
    /// The message's id, which its acknowledgement refers to; NATS drops messages with an id that
    /// it knows.
    package var id: String
    /// The payload.
    package var bytes: [UInt8]
    /// Whether MQTT retains it for later subscribers.
    package var isRetained = false
}

/// An event that an engine reports.
package enum EngineEvent: Sendable {
    /// The engine accepts messages from now on.
    case connected
    /// The engine accepts no messages for now, with the reason.
    case disconnected(String)
    /// The engine has stored the message with this id; the receipt has the place, if the engine
    /// reports it.
    case stored(id: String, StoreReceipt?)
    /// The message with this id was not stored, or it is unknown because no answer came.
    case failed(id: String, EngineFailure)
    /// The answer to `check`.
    case checked(token: Int, StorePresence)
    /// A line for the log.
    case note(String)
}

/// The reason why a message was not stored.
package struct EngineFailure: Error, Sendable {
    /// The engine's message.
    package let text: String
    /// Whether the engine cannot store any message for now, so that an immediate retry is useless.
    package let isGeneral: Bool

    /// Creates a failure.
    package init(_ text: String, isGeneral: Bool) {
        self.text = text
        self.isGeneral = isGeneral
    }
}

/// A messaging server that stores messages and reports the outcome of each by an event, on any
/// thread.
package protocol Engine: Sendable {
    /// The maximum number of messages in flight.
    var window: Int { get }

    /// Begins to connect. Throws if that can never succeed.
    func start(onEvent: @escaping @Sendable (EngineEvent) -> Void) throws(FleetError)

    /// Sends a message; an event reports the outcome.
    func send(_ message: EngineMessage)

    /// Looks up a message where it was stored; the answer is a `checked` event with `token`.
    func check(_ id: String, at place: StorePlace, token: Int)

    /// Disconnects.
    func close()
}
