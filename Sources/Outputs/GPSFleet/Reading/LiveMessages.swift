// SPDX-License-Identifier: MIT

/// A source of messages that the receivers of a fleet publish through a server. It is used by one
/// thread at a time.
protocol LiveMessages {
    /// Waits up to half a second for the next message.
    ///
    /// Throws an error if the server permanently refuses access.
    func next() throws(FleetError) -> LiveMessage

    /// The number of messages that were dropped because they were not read in time.
    var droppedCount: Int { get }
}

/// A received message, or a change of the connection to the server.
package enum LiveMessage: Sendable {
    case connected
    case disconnected(String)
    case message([UInt8])
    /// No message arrived for half a second.
    case nothing
}

/// Messages received from NATS.
final class NATSMessages: LiveMessages {
    private let subscription: NATSSubscription
    private let events: EventQueue

    init(
        _ url: EngineURL, _ access: EngineAccess, _ pattern: MemberPattern
    ) throws(FleetError) {
        let events = EventQueue()
        self.events = events
        let connection = try NATSConnection(url, access, name: "gpsbridge read") { event in
            switch event {
            case .connected: events.append(.success(.connected))
            case .disconnected(let reason): events.append(.success(.disconnected(reason)))
            case .closed(let reason): events.append(.failure(FleetError("\(url): \(reason)")))
            case .error(let text):
                if let reason = pattern.refusal(text) {
                    events.append(.failure(FleetError("\(url): \(reason)")))
                }
            }
        }
        subscription = try NATSSubscription(connection, subject: pattern.subject)
    }

    var droppedCount: Int { subscription.droppedCount }

    func next() throws(FleetError) -> LiveMessage {
        if let event = events.take() { return try event.get() }
        return try subscription.next(wait: 500).map { .message($0) } ?? .nothing
    }
}

/// Messages received from MQTT.
final class MQTTMessages: LiveMessages {
    private let client: MQTTClient
    private let events: EventQueue
    private let topic: String

    init(
        _ url: EngineURL, _ access: EngineAccess, _ pattern: MemberPattern
    ) throws(FleetError) {
        let events = EventQueue()
        self.events = events
        topic = pattern.topic
        client = try MQTTClient(
            url, access, id: "gpsbridge-read-\(UInt32.random(in: 0 ... .max))", will: nil,
            handlers: .init(
                connected: { refusal in
                    events.append(
                        refusal.map { .failure(FleetError("\(url): \($0)")) }
                            ?? .success(.connected))
                },
                disconnected: { events.append(.success(.disconnected($0))) },
                received: { events.append(.success(.message($0))) }))
        client.start()
    }

    deinit { client.close() }

    var droppedCount: Int { events.droppedCount }

    func next() throws(FleetError) -> LiveMessage {
        guard let event = events.next(wait: .milliseconds(500)) else { return .nothing }
        // Each connection starts a new session without subscriptions.
        if case .success(.connected) = event {
            do throws(FleetError) {
                try client.subscribe(topic)
            } catch {
                // The connection was lost again. The topic is subscribed after the next connection.
                return .disconnected(error.description)
            }
        }
        return try event.get()
    }
}
