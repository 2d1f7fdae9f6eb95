// SPDX-License-Identifier: MIT
import Dispatch
import Synchronization

/// An engine for MQTT brokers, with QoS 1. Whether acknowledged messages survive a failure depends
/// on the broker's settings.
package final class MQTTEngine: Engine {
    private struct State {
        var client: MQTTClient?
        /// The ids of the messages in flight, by libmosquitto's 16-bit message number.
        var ids: [CInt: String] = [:]
    }

    package let window = 200

    private let url: EngineURL
    private let access: EngineAccess
    private let clientID: String
    private let presence: Presence?
    private let announcementTopic: String?
    private let state = Mutex(State())
    /// The event handler. It has its own lock, because the library may call back while the state is
    /// locked.
    private let listener = Mutex(Listener())
    private let queue = DispatchQueue(label: "gpsbridge.mqtt")

    /// Holds the event handler. It is a structure, because a `Mutex` of a closure would wrap the
    /// closure again at each access.
    private struct Listener {
        var handle: (@Sendable (EngineEvent) -> Void)?
    }

    /// Creates an engine for the messages of the format with this name. The format and the
    /// receivers (`members`) determine the presence messages and the client's id.
    package init(
        _ url: EngineURL, _ access: EngineAccess, format: (name: String, format: any MessageFormat),
        members: [MemberName]
    ) {
        self.url = url
        self.access = access
        clientID = Self.clientID(of: members, format: format.name)
        presence = format.format.presence(of: members)
        announcementTopic = format.format.announcementTopic
    }

    /// Returns the id under which a broker knows the client.
    ///
    /// A broker ends the connection of an earlier client with the same id. The id is the same after
    /// a restart, so that the last will of the former connection is not published later. Programs
    /// that publish different receivers of a bridge, or use different formats, have different ids.
    package static func clientID(of members: [MemberName], format: String) -> String {
        // A dot cannot be part of a name, so the ids of different receivers differ.
        (["gpsbridge"] + members.prefix(1).map(\.deviceName) + [format]).joined(separator: ".")
    }

    package func start(onEvent: @escaping @Sendable (EngineEvent) -> Void) throws(FleetError) {
        listener.withLock { $0.handle = onEvent }
        var handlers = MQTTClient.Handlers()
        handlers.connected = { [weak self] in self?.connected($0) }
        handlers.disconnected = { [weak self] in self?.emit(.disconnected($0)) }
        handlers.acknowledged = { [weak self] in self?.acknowledged($0) }
        handlers.received = { [weak self] bytes in
            // `online` means that Home Assistant has restarted and needs all announcements again.
            if bytes == Array("online".utf8) { self?.emit(.connected) }
        }
        let client = try MQTTClient(
            url, access, id: clientID, will: presence, handlers: handlers)
        state.withLock { $0.client = client }
        client.start()
    }

    package func send(_ message: EngineMessage) {
        queue.async {
            let result = self.state.withLock { state -> FleetError? in
                guard let client = state.client else { return FleetError("not connected") }
                do throws(FleetError) {
                    let number = try client.publish(
                        message.destination, message.bytes, isRetained: message.isRetained)
                    state.ids[number] = message.id
                    return nil
                } catch {
                    return error
                }
            }
            if let result {
                let failure = EngineFailure(result.description, isGeneral: true)
                self.emit(.failed(id: message.id, failure))
            }
        }
    }

    package func close() {
        listener.withLock { $0.handle = nil }
        queue.sync {
            let client = state.withLock { exchange(&$0.client, with: nil) }
            // The offline message is published explicitly, because the broker publishes the last
            // will only after a lost connection.
            if let presence, presence.online != nil, let client {
                // If this fails, the broker publishes the same message later as the last will.
                _ = try? client.publish(
                    presence.topic, Array(presence.offline.utf8),
                    isRetained: presence.isRetained)
            }
            client?.close()
        }
    }

    private func connected(_ refusal: String?) {
        if let refusal { return emit(.disconnected(refusal)) }
        queue.async {
            guard let client = self.state.withLock({ $0.client }) else { return }
            do throws(FleetError) {
                if let presence = self.presence, let online = presence.online {
                    _ = try client.publish(
                        presence.topic, Array(online.utf8), isRetained: presence.isRetained)
                }
                if let topic = self.announcementTopic { try client.subscribe(topic) }
            } catch {
                self.emit(.note(error.description))
            }
            self.emit(.connected)
        }
    }

    private func acknowledged(_ number: CInt) {
        guard let id = state.withLock({ $0.ids.removeValue(forKey: number) }) else { return }
        emit(.stored(id: id, nil))
    }

    private func emit(_ event: EngineEvent) {
        listener.withLock { $0 }.handle?(event)
    }
}
