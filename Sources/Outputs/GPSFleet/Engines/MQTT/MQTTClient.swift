// SPDX-License-Identifier: MIT
import CGPSMosquitto
import Dispatch
import GPSReceivers
import Glibc
import Synchronization

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
