// SPDX-License-Identifier: MIT
import Dispatch
import Synchronization

/// Messages of members as an engine sends them. Used by one thread.
protocol LiveMessages {
    /// Waits for the next one, for half a second.
    ///
    /// Throws where the engine refuses who connects.
    func next() throws(FleetError) -> LiveMessage
}

/// What an engine sends.
enum LiveMessage: Sendable {
    case connected
    case disconnected(String)
    case message([UInt8])
    /// Nothing for half a second.
    case nothing
}

/// Messages by NATS.
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
            case .error: break
            }
        }
        subscription = try NATSSubscription(connection, subject: pattern.subject)
    }

    func next() throws(FleetError) -> LiveMessage {
        if let event = events.first { return try event.get() }
        return try subscription.next(wait: 500).map { .message($0) } ?? .nothing
    }
}

/// Messages by MQTT.
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
                received: { events.append(.success(.message($1))) }))
        client.start()
    }

    deinit { client.close() }

    func next() throws(FleetError) -> LiveMessage {
        events.wait()
        guard let event = events.first else { return .nothing }
        // Each connection is a new session, without subscriptions.
        if case .success(.connected) = event { try client.subscribe(topic) }
        return try event.get()
    }
}

/// What an engine's threads report, for the one that reads.
private final class EventQueue: Sendable {
    /// Who does not read in time loses the oldest.
    private static let limit = 10_000
    private let events = Mutex<[Result<LiveMessage, FleetError>]>([])
    private let arrival = DispatchSemaphore(value: 0)

    func append(_ event: Result<LiveMessage, FleetError>) {
        events.withLock { events in
            if events.count >= Self.limit { events.removeFirst(Self.limit / 2) }
            events.append(event)
        }
        arrival.signal()
    }

    /// Takes the first one.
    var first: Result<LiveMessage, FleetError>? {
        events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    /// Waits for one, for half a second.
    func wait() {
        guard events.withLock({ $0.isEmpty }) else { return }
        _ = arrival.wait(timeout: .now() + .milliseconds(500))
    }
}
