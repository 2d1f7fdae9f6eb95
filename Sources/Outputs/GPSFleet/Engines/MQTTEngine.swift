// SPDX-License-Identifier: MIT
import CGPSMosquitto
import Dispatch
import GPSReceivers
import Glibc
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

/// An MQTT 3.1.1 client: `struct mosquitto` of libmosquitto.
final class MQTTClient: Sendable {
    /// The callbacks. They are called on a thread of libmosquitto.
    struct Handlers: Sendable {
        var connected: @Sendable (_ refusal: String?) -> Void = { _ in }
        var disconnected: @Sendable (String) -> Void = { _ in }
        var acknowledged: @Sendable (_ message: CInt) -> Void = { _ in }
        var received: @Sendable (_ message: [UInt8]) -> Void = { _ in }
    }

    // Safety: libmosquitto locks its clients itself, and the pointer never changes.
    private nonisolated(unsafe) let client: OpaquePointer
    private let server: NetworkEndpoint
    /// The handlers' object, which is passed to the library as a pointer.
    // Safety: released by `deinit` after the library's object has been destroyed.
    private let context: Unmanaged<Context>
    private let isClosed = Atomic(false)
    /// Signalled by `close`, to end a pause between attempts to connect.
    private let end = DispatchSemaphore(value: 0)
    /// Signalled when the thread has ended.
    private let hasEnded = DispatchSemaphore(value: 0)

    private final class Context: Sendable {
        let handlers: Handlers
        /// Whether the broker has accepted a connection since the last pause between attempts.
        let isAccepted = Atomic(false)
        private let user: String?
        private let password: SecretFile?

        init(_ handlers: Handlers, user: String?, password: SecretFile?) {
            (self.handlers, self.user, self.password) = (handlers, user, password)
        }

        /// Reads the password again, for the next attempt to connect, because it may have been
        /// changed.
        func renewPassword(of client: OpaquePointer?) {
            guard let user, let path = password?.path,
                let password = try? SecretFile(path).firstLine()
            else { return }
            mosquitto_username_pw_set(client, user, password)
        }
    }

    private static let isPrepared: Bool = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue

    /// Creates a client that is not connected.
    ///
    /// Throws an error if a file cannot be used. The corresponding C function is `mosquitto_new`.
    init(
        _ url: EngineURL, _ access: EngineAccess, id: String, will: Presence?, handlers: Handlers
    ) throws(FleetError) {
        guard let server = url.servers.first else { throw FleetError("\(url) has no server") }
        self.server = server
        // Safety: `deinit` releases the object or, without a client, the code below.
        context = Unmanaged.passRetained(
            Context(handlers, user: url.user, password: access.password))
        guard Self.isPrepared, let client = mosquitto_new(id, true, context.toOpaque()) else {
            context.release()
            throw FleetError("out of memory")
        }
        self.client = client
        if let will {
            let bytes = Array(will.offline.utf8)
            try Self.check(
                mosquitto_will_set(
                    client, will.topic, CInt(bytes.count), bytes, 1, will.isRetained),
                "the last will")
        }
        try setAccess(url, access)
        // Delays are random, so that the clients of a fleet do not all reconnect in the same
        // second.
        mosquitto_reconnect_delay_set(client, .random(in: 1...3), .random(in: 20...60), true)
        mosquitto_max_inflight_messages_set(client, 100)
        mosquitto_threaded_set(client, true)
        setCallbacks()
    }

    deinit {
        mosquitto_destroy(client)
        context.release()
    }

    private static func check(_ status: CInt, _ what: String) throws(FleetError) {
        guard status != MOSQ_ERR_SUCCESS.rawValue else { return }
        throw FleetError("\(what): \(text(status))")
    }

    private static func text(_ status: CInt) -> String {
        if status == MOSQ_ERR_ERRNO.rawValue { return String(cString: strerror(errno)) }
        return mosquitto_strerror(status).map { String(cString: $0) } ?? "error \(status)"
    }

    private func setAccess(_ url: EngineURL, _ access: EngineAccess) throws(FleetError) {
        try access.check(for: url)
        if let password = access.password {
            guard let user = url.user else {
                throw FleetError("\(url): a password needs a user: mqtt://USER@HOST")
            }
            try Self.check(
                mosquitto_username_pw_set(client, user, try password.firstLine()), password.path)
        } else if let user = url.user {
            try Self.check(mosquitto_username_pw_set(client, user, nil), "\(url)")
        }
        guard url.isSecure || access.needsEncryption else { return }
        guard access.authorities != nil || access.certificate != nil else {
            // Use the system's certificate authorities.
            try Self.check(
                mosquitto_tls_set(client, nil, "/etc/ssl/certs", nil, nil, nil), "\(url)")
            return
        }
        let folder = access.authorities == nil ? "/etc/ssl/certs" : nil
        try Self.check(
            mosquitto_tls_set(
                client, access.authorities, folder, access.certificate, access.key?.path, nil),
            access.authorities ?? access.certificate ?? "")
    }

    private func setCallbacks() {
        mosquitto_connect_callback_set(client) { client, context, status in
            let object = MQTTClient.contextObject(context)
            if status == 0 {
                object?.isAccepted.store(true, ordering: .releasing)
            } else {
                // The library pauses and reconnects by itself.
                object?.renewPassword(of: client)
            }
            object?.handlers.connected(
                status == 0
                    ? nil
                    : mosquitto_connack_string(status).map { String(cString: $0) } ?? "refused")
        }
        mosquitto_disconnect_callback_set(client) { _, context, status in
            // `connected` has reported the broker's reason.
            guard status != MOSQ_ERR_CONN_REFUSED.rawValue else { return }
            MQTTClient.contextObject(context)?.handlers.disconnected(MQTTClient.text(status))
        }
        mosquitto_publish_callback_set(client) { _, context, message in
            MQTTClient.contextObject(context)?.handlers.acknowledged(message)
        }
        mosquitto_message_callback_set(client) { _, context, message in
            guard let message = message?.pointee else { return }
            let bytes = UnsafeRawBufferPointer(
                start: message.payload, count: Int(max(0, message.payloadlen)))
            MQTTClient.contextObject(context)?.handlers.received(Array(bytes))
        }
    }

    private static func contextObject(_ pointer: UnsafeMutableRawPointer?) -> Context? {
        // Safety: the object lives until the library's object has been destroyed.
        pointer.map { Unmanaged<Context>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Connects and reconnects on a separate thread until the client is closed.
    ///
    /// `mosquitto_loop_forever` returns if encryption fails or access is refused. In both cases,
    /// this method retries, because an administrator may solve the problem.
    func start() {
        DispatchQueue(label: "gpsbridge.mqtt.client").async { self.run() }
    }

    private func run() {
        defer { hasEnded.signal() }
        var delay = 2.0
        var hasConnected = false
        while !isClosed.load(ordering: .acquiring) {
            var status =
                hasConnected
                ? mosquitto_reconnect(client)
                : mosquitto_connect(client, server.host, CInt(server.port), 30)
            if status == MOSQ_ERR_SUCCESS.rawValue {
                hasConnected = true
                status = mosquitto_loop_forever(client, 1000, 1)
            }
            guard !isClosed.load(ordering: .acquiring) else { return }
            let object = context.takeUnretainedValue()
            object.handlers.disconnected(Self.text(status))
            if object.isAccepted.exchange(false, ordering: .acquiringAndReleasing) { delay = 2 }
            _ = end.wait(timeout: .now() + delay * .random(in: 0.75...1.25))
            delay = min(60, delay * 2)
        }
    }

    /// Disconnects and ends the thread. Waits up to a second until the thread has sent the messages
    /// before, because the process may end next.
    func close() {
        isClosed.store(true, ordering: .releasing)
        mosquitto_disconnect(client)
        end.signal()
        _ = hasEnded.wait(timeout: .now() + 1)
    }

    /// Publishes a message with QoS 1. Returns its number, which is passed to `acknowledged`.
    ///
    /// The corresponding C function is `mosquitto_publish`.
    func publish(_ topic: String, _ bytes: [UInt8], isRetained: Bool) throws(FleetError) -> CInt {
        var number: CInt = 0
        let status = mosquitto_publish(
            client, &number, topic, CInt(bytes.count), bytes, 1, isRetained)
        // Without a connection the library queues the message and sends it after reconnecting.
        guard status != MOSQ_ERR_NO_CONN.rawValue else { return number }
        try Self.check(status, topic)
        return number
    }

    /// Subscribes with QoS 1.
    ///
    /// The corresponding C function is `mosquitto_subscribe`.
    func subscribe(_ topic: String) throws(FleetError) {
        try Self.check(mosquitto_subscribe(client, nil, topic, 1), topic)
    }
}
