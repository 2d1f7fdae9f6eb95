// SPDX-License-Identifier: MIT

/// A message for an engine.
package struct EngineMessage: Sendable, Equatable {
    /// The subject or topic.
    package var destination: String
    /// By which its acknowledgement is known; NATS drops what comes again with the same one.
    package var id: String
    /// The payload.
    package var bytes: [UInt8]
    /// Whether MQTT retains it for later subscribers.
    package var isRetained = false
}

/// An engine's report.
package enum EngineEvent: Sendable {
    /// It takes messages from now on.
    case connected
    /// It takes none for now, and why.
    case disconnected(String)
    /// It has stored the message with that id; where, if the engine reports it.
    case stored(id: String, StoreReceipt?)
    /// It has not stored the message with that id; it may have, where no answer came.
    case failed(id: String, EngineFailure)
    /// The answer to a question about a message that it had stored.
    case checked(token: Int, StorePresence)
    /// Something its user should know.
    case note(String)
}

/// Why a message is not stored.
package struct EngineFailure: Error, Sendable {
    /// The engine's words.
    package let text: String
    /// Whether the engine cannot store any message for now, so that sending at once is useless.
    package let isGeneral: Bool

    /// Creates a failure.
    package init(_ text: String, isGeneral: Bool) {
        self.text = text
        self.isGeneral = isGeneral
    }
}

/// Stores messages, and reports the outcome of each by an event, on any thread.
package protocol Engine: Sendable {
    /// How many messages may be on their way at once.
    var window: Int { get }

    /// Begins to connect. Throws where that can never succeed.
    func start(onEvent: @escaping @Sendable (EngineEvent) -> Void) throws(FleetError)

    /// Sends a message; an event reports the outcome.
    func send(_ message: EngineMessage)

    /// Looks for a message where it had been stored; the answer is an event with that token.
    func check(_ id: String, at place: StorePlace, token: Int)

    /// Disconnects.
    func close()
}
