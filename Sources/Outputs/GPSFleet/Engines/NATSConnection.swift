// SPDX-License-Identifier: MIT
import CGPSNATS
import GNSS
import GPSIO
import GPSReceivers
import Glibc
import Synchronization

/// A connection to NATS servers that reconnects automatically, to another server if necessary.
///
/// The corresponding C type is `natsConnection`.
package final class NATSConnection: Sendable {
    /// A change of the connection's state.
    package enum Event: Sendable {
        /// The connection is established, for the first time or again.
        case connected
        /// The connection was lost, for the given reason. Other servers are tried.
        case disconnected(String)
        /// The server refused an operation, for example publishing on a subject.
        case error(String)
        /// The connection is permanently closed for the given reason, for example because no server
        /// accepts the credentials.
        case closed(String)

        /// Whether the server refused an operation because the user lacks a right.
        var isRefusal: Bool {
            if case .error(let text) = self {
                text.contains("Permissions Violation")
            } else {
                false
            }
        }
    }

    /// The C object, which `deinit` destroys.
    // Safety: libnats locks its connections itself, and the pointer never changes.
    nonisolated(unsafe) let connection: OpaquePointer
    // Safety: libnats locks its contexts itself, and the pointer never changes.
    nonisolated(unsafe) let jetStream: OpaquePointer

    private let acknowledgement: Acknowledgement?

    /// A function that receives the answer to a published message: the message's id, and its
    /// receipt or the failure.
    package typealias AckHandler =
        @Sendable (_ id: String, _ result: Result<StoreReceipt, Failure>) -> Void

    /// The statuses of a first attempt after which another may succeed.
    private static let passingStatuses = [
        NATS_TIMEOUT, NATS_NO_SERVER, NATS_IO_ERROR, NATS_CONNECTION_CLOSED,
    ]

    /// Connects. Blocks for a few seconds at most. If no server answers and `waitsForServer` is
    /// set, the attempts continue in the background. libnats 3.4 then closes the connection, without
    /// the reason, if a server accepts it and does not answer in time or refuses the credentials.
    ///
    /// `onEvent` is called on threads of libnats. Throws an error if the first attempt fails; it is
    /// permanent if another attempt cannot succeed either.
    package init(
        _ url: EngineURL, _ access: EngineAccess, name: String, waitsForServer: Bool = true,
        onAck: AckHandler? = nil, onEvent: @escaping @Sendable (Event) -> Void
    ) throws(FleetError) {
        let options = try NATSOptions(url, access, name: name)
        // Safety: the handler is released by the callback for the closed connection, which is the
        // last one, or below if there is no connection.
        let handler = Unmanaged.passRetained(NATSEventHandler(onEvent))
        options.report(to: handler.toOpaque(), waitsForServer: waitsForServer)
        var connection: OpaquePointer?
        let status = natsConnection_Connect(&connection, options.pointer)
        guard status == NATS_OK || status == NATS_NOT_YET_CONNECTED, let connection else {
            handler.release()
            throw FleetError(
                Self.text(status), of: "\(url)",
                isPermanent: !Self.passingStatuses.contains(status))
        }
        self.connection = connection
        acknowledgement = onAck.map { Acknowledgement($0) }
        guard let context = Self.jetStream(of: connection, acknowledgement) else {
            natsConnection_Destroy(connection)
            throw FleetError("out of memory", of: "\(url)")
        }
        jetStream = context
        // The library does not report the result of the first attempt with an event.
        onEvent(
            status == NATS_OK
                ? .connected : .disconnected(NATSOptions.lastError(connection)))
    }

    /// Creates a JetStream context, which passes answers to `acknowledgement`. Returns `nil` if there
    /// is not enough memory.
    private static func jetStream(
        of connection: OpaquePointer, _ acknowledgement: Acknowledgement?
    ) -> OpaquePointer? {
        var options = jsOptions()
        jsOptions_Init(&options)
        options.Wait = 5000
        if let acknowledgement {
            options.PublishAsync.AckHandler = Acknowledgement.forward
            // Safety: this reference is never released, because the library does not report when
            // its last call of the handler has ended.
            options.PublishAsync.AckHandlerClosure =
                Unmanaged.passRetained(acknowledgement).toOpaque()
        }
        var context: OpaquePointer?
        let status = natsConnection_JetStream(&context, connection, &options)
        return status == NATS_OK ? context : nil
    }

    deinit {
        natsConnection_Close(connection)
        // After closing, no answers can arrive, so this also frees the messages that wait for an
        // answer.
        jsCtx_Destroy(jetStream)
        natsConnection_Destroy(connection)
        acknowledgement?.end()
    }

    /// Whether the connection is permanently closed.
    var isClosed: Bool { natsConnection_IsClosed(connection) }

    /// Whether the connection to a server is established.
    package var isConnected: Bool {
        natsConnection_Status(connection) == NATS_CONN_STATUS_CONNECTED
    }

    /// Returns the library's text for a status.
    static func text(_ status: natsStatus) -> String {
        natsStatus_GetText(status).map { String(cString: $0) } ?? "error \(status.rawValue)"
    }

    /// Returns the library's text for the thread's last error, which had this status.
    static func lastError(_ status: natsStatus) -> String {
        let detail = nats_GetLastError(nil).map { String(cString: $0) } ?? ""
        return detail.isEmpty ? text(status) : detail
    }
}

extension NATSConnection {
    /// The reason why a message was not stored, or why the information about a stream or a consumer
    /// is missing.
    package struct Failure: Error {
        let status: natsStatus
        let text: String
        /// JetStream's error code; 0 if the stream did not answer with an error.
        let code: jsErrCode

        /// Whether the message is larger than the server or the stream accepts.
        var isTooLarge: Bool {
            status == NATS_MAX_PAYLOAD || code == JSStreamMessageExceedsMaximumErr
        }

        /// Whether the server refuses to read these subjects, because they are not a part of the
        /// stream's subjects. A retry is useless.
        var isOfSubjects: Bool { code == JSConsumerFilterNotSubsetErr }

        /// Returns the reason why these subjects cannot be read.
        func text(reading subjects: String) -> String {
            guard isOfSubjects else { return text }
            return "\(subjects) is not a part of its subjects: read other subjects or members, or "
                + "another stream (--stream)"
        }

        /// Creates a failure. Without `text`, it explains that the stream does not exist, or uses
        /// the library's text for the status.
        init(_ status: natsStatus, text: String? = nil, code: jsErrCode = jsErrCode(0)) {
            self.status = status
            let reason =
                code == JSStreamNotFoundErr
                ? "there is no such stream; `gpsbridge publish --create-stream` creates it"
                : NATSConnection.text(status)
            self.text = text ?? reason
            self.code = code
        }
    }

    /// Publishes a message to JetStream. When the server answers, or when `maxWait` has elapsed,
    /// the `AckHandler` is called with the message's id.
    ///
    /// Throws an error if the message cannot be sent. The corresponding C function is
    /// `js_PublishMsgAsync`.
    func publish(
        _ subject: String, _ bytes: [UInt8], id: String, maxWait: Duration
    ) throws(Failure) {
        var message: OpaquePointer?
        let status = bytes.withUnsafeBytes { bytes in
            natsMsg_Create(
                &message, subject, nil, bytes.bindMemory(to: CChar.self).baseAddress,
                CInt(bytes.count))
        }
        guard status == NATS_OK else { throw Failure(status) }
        var options = jsPubOptions()
        jsPubOptions_Init(&options)
        // Without a limit, a lost acknowledgement would never be reported.
        options.MaxWait = maxWait.components.seconds * 1000
        let result = id.withCString { id in
            options.MsgId = id
            return js_PublishMsgAsync(jetStream, &message, &options)
        }
        guard result == NATS_OK else {
            natsMsg_Destroy(message)
            throw Failure(result)
        }
    }

    /// Passes JetStream's acknowledgements to a handler, until `end` is called.
    private final class Acknowledgement: Sendable {
        private let handler: AckHandler
        private let isOver = Atomic(false)

        init(_ handler: @escaping AckHandler) { self.handler = handler }

        func end() { isOver.store(true, ordering: .relaxed) }

        static let forward: jsPubAckHandler = { _, message, answer, error, context in
            defer { natsMsg_Destroy(message) }
            guard let context else { return }
            // Safety: the reference that `init` has passed is never released.
            let object = Unmanaged<Acknowledgement>.fromOpaque(context).takeUnretainedValue()
            var id: UnsafePointer<CChar>?
            guard natsMsgHeader_Get(message, "Nats-Msg-Id", &id) == NATS_OK, let id,
                !object.isOver.load(ordering: .relaxed)
            else { return }
            let result: Result<StoreReceipt, Failure>
            if let answer = answer?.pointee, error == nil {
                let stream = answer.Stream.map { String(cString: $0) } ?? ""
                let position = StreamPosition(stream: stream, number: answer.Sequence)
                result = .success(StoreReceipt(position: position, isDuplicate: answer.Duplicate))
            } else {
                let status = error?.pointee.Err ?? NATS_ERR
                let text = error?.pointee.ErrText.map { String(cString: $0) }
                result = .failure(
                    Failure(
                        status, text: text, code: error?.pointee.ErrCode ?? jsErrCode(0)))
            }
            object.handler(String(cString: id), result)
        }
    }
}

/// Holds the event handler of a connection. libnats has a reference to it, which is released after
/// the last event.
private final class NATSEventHandler: Sendable {
    let handle: @Sendable (NATSConnection.Event) -> Void

    init(_ handle: @escaping @Sendable (NATSConnection.Event) -> Void) {
        self.handle = handle
    }
}

extension NATSConnection {
    /// Requests the information about a stream, and returns the values that `read` selects.
    ///
    /// Blocks for a few seconds at most. Throws an error if the stream does not exist or does not
    /// answer. The corresponding C function is `js_GetStreamInfo`.
    func streamInfo<R>(
        _ stream: String, _ read: (jsStreamInfo) -> R
    ) throws(Failure) -> R {
        var info: UnsafeMutablePointer<jsStreamInfo>?
        var code = jsErrCode(0)
        let status = js_GetStreamInfo(&info, jetStream, stream, nil, &code)
        defer { jsStreamInfo_Destroy(info) }
        guard status == NATS_OK, let info else {
            throw Failure(status, code: code)
        }
        return read(info.pointee)
    }

    /// Requests the information about a stream's consumer, and returns the values that `read`
    /// selects.
    ///
    /// Blocks for a few seconds at most. Throws an error if the consumer does not exist or does not
    /// answer. The corresponding C function is `js_GetConsumerInfo`.
    func consumerInfo<R>(
        _ stream: String, _ consumer: String, _ read: (jsConsumerInfo) -> R
    ) throws(Failure) -> R {
        var info: UnsafeMutablePointer<jsConsumerInfo>?
        var code = jsErrCode(0)
        let status = js_GetConsumerInfo(&info, jetStream, stream, consumer, nil, &code)
        defer { jsConsumerInfo_Destroy(info) }
        guard status == NATS_OK, let info else {
            throw Failure(status, code: code)
        }
        return read(info.pointee)
    }
}

extension NATSConnection {
    /// Returns whether a stream still has the message that it stored at a position. `id` is the
    /// message's id.
    ///
    /// Blocks for a few seconds at most. The corresponding C functions are `js_GetStreamInfo` and
    /// `js_GetMsg`.
    func presence(of id: String, at position: StreamPosition) -> StorePresence {
        // If the information cannot be requested, the presence of the message is unknown.
        guard
            let stored = try? streamInfo(
                position.stream, { (first: $0.State.FirstSeq, last: $0.State.LastSeq) })
        else { return .unknown }
        guard position.number <= stored.last else { return .missing }
        // Older messages than the first one were removed by the stream's limits or an
        // administrator, so they were not lost.
        guard position.number >= stored.first else { return .present }
        var message: OpaquePointer?
        let status = js_GetMsg(&message, jetStream, position.stream, position.number, nil, nil)
        guard status == NATS_OK, let message else {
            return status == NATS_NOT_FOUND ? .present : .unknown
        }
        defer { natsMsg_Destroy(message) }
        var present: UnsafePointer<CChar>?
        guard natsMsgHeader_Get(message, "Nats-Msg-Id", &present) == NATS_OK, let present else {
            return .missing
        }
        return String(cString: present) == id ? .present : .missing
    }
}

/// The options of a NATS connection.
///
/// The corresponding C type is `natsOptions`.
final class NATSOptions {
    let pointer: OpaquePointer

    /// Creates options from an address and credentials.
    ///
    /// Throws an error if a file cannot be used.
    init(_ url: EngineURL, _ access: EngineAccess, name: String) throws(FleetError) {
        var pointer: OpaquePointer?
        guard natsOptions_Create(&pointer) == NATS_OK, let pointer else {
            throw FleetError("out of memory")
        }
        self.pointer = pointer
        try setServers(url)
        natsOptions_SetName(pointer, name)
        natsOptions_SetMaxReconnect(pointer, -1)
        natsOptions_SetReconnectWait(pointer, 1000)
        // The delay is random, so that the clients of a fleet do not all reconnect in the same
        // second.
        natsOptions_SetReconnectJitter(pointer, 2000, 5000)
        // With pings every 20 s, a dead connection is detected within a minute.
        natsOptions_SetPingInterval(pointer, 20_000)
        natsOptions_SetTimeout(pointer, 5000)
        natsOptions_SetWriteDeadline(pointer, 10_000)
        try setAccess(url, access)
    }

    deinit { natsOptions_Destroy(pointer) }

    private func check(_ status: natsStatus, _ what: String) throws(FleetError) {
        guard status == NATS_OK else {
            throw FleetError("\(what): \(NATSConnection.lastError(status))")
        }
    }

    private func setServers(_ url: EngineURL) throws(FleetError) {
        let scheme = url.isSecure ? "tls" : "nats"
        let texts = url.servers.map { "\(scheme)://\(SocketAddress.text($0.host, $0.port))" }
        let status = withCStrings(texts) { texts in
            var texts = texts
            return natsOptions_SetServers(pointer, &texts, CInt(texts.count))
        }
        try check(status, "\(url)")
    }

    private func setAccess(_ url: EngineURL, _ access: EngineAccess) throws(FleetError) {
        if url.isSecure || access.needsEncryption { natsOptions_SetSecure(pointer, true) }
        if let file = access.authorities {
            try check(natsOptions_LoadCATrustedCertificates(pointer, file), file)
        }
        if let file = access.certificate {
            guard let key = access.key else {
                throw FleetError(
                    "the certificate \(file) needs its private key: give it with --key FILE")
            }
            try check(natsOptions_LoadCertificatesChain(pointer, file, key.path), file)
        }
        if let file = access.credentials {
            try check(
                natsOptions_SetUserCredentialsFromFiles(pointer, file.path, nil), file.path)
        }
        if let file = access.nkey {
            let key = try file.publicKey()
            try check(natsOptions_SetNKeyFromSeed(pointer, key, file.path), file.path)
        }
        if let file = access.password {
            let password = try file.firstLine()
            try check(
                url.user.map { natsOptions_SetUserInfo(pointer, $0, password) }
                    ?? natsOptions_SetToken(pointer, password), file.path)
        } else if url.user != nil, access.credentials == nil, access.nkey == nil,
            access.certificate == nil
        {
            // libnats does not send a user name without a password. The name is not printed,
            // because other NATS programs interpret it as a token.
            throw FleetError(
                "\(url.isSecure ? "tls" : "nats")://USER@…: the user needs a password: put it into a "
                    + "file for --password-file; for a token, also leave USER@ out of the address",
                isPermanent: true)
        }
    }

    /// Makes the connection send its events to a `NATSEventHandler`. The handler is released when
    /// the connection is closed.
    func report(to handler: UnsafeMutableRawPointer, waitsForServer: Bool) {
        natsOptions_SetRetryOnFailedConnect(pointer, waitsForServer, Self.connected, handler)
        natsOptions_SetReconnectedCB(pointer, Self.connected, handler)
        natsOptions_SetDisconnectedCB(pointer, Self.disconnected, handler)
        natsOptions_SetClosedCB(pointer, Self.closed, handler)
        natsOptions_SetErrorHandler(pointer, Self.error, handler)
    }

    private static func handler(_ context: UnsafeMutableRawPointer?) -> NATSEventHandler? {
        // Safety: the handler lives until the last callback, `closed`, has ended.
        context.map { Unmanaged<NATSEventHandler>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Returns the text of a connection's last error.
    static func lastError(_ connection: OpaquePointer?) -> String {
        var text: UnsafePointer<CChar>?
        let status = natsConnection_GetLastError(connection, &text)
        let words = text.map { String(cString: $0) } ?? ""
        if !words.isEmpty { return words }
        return status == NATS_OK
            ? "the connection to the server was lost" : NATSConnection.text(status)
    }

    private static let connected: natsConnectionHandler = { _, context in
        handler(context)?.handle(.connected)
    }

    private static let disconnected: natsConnectionHandler = { connection, context in
        handler(context)?.handle(.disconnected(lastError(connection)))
    }

    /// The callback for a closed connection. It is called once, after all other callbacks.
    private static let closed: natsConnectionHandler = { connection, context in
        handler(context)?.handle(.closed(lastError(connection)))
        // Safety: this balances `passRetained` in `NATSConnection.init`, once, after all callbacks.
        if let context { Unmanaged<NATSEventHandler>.fromOpaque(context).release() }
    }

    private static let error: natsErrHandler = { connection, _, status, context in
        let text = lastError(connection)
        handler(context)?.handle(.error(text))
    }
}

extension SecretFile {
    /// Returns the public key of an nkey, which is in the same file as the seed if
    /// `nk -gen user -pubout` wrote it.
    fileprivate func publicKey() throws(FleetError) -> String {
        guard let key = try lines().first(where: { $0.count == 56 && $0.hasPrefix("U") }) else {
            throw FleetError(
                "\(path) has no public key: below the seed, it must contain the line that begins with U, "
                    + "as `nk -gen user -pubout` writes it")
        }
        return key
    }
}

/// The time limits for the answers to messages.
///
/// A message without an answer in time is sent again with twice the limit. With a constant limit, a
/// large message on a slow link would be sent again and again.
package struct AnswerTimes {
    private static let first = Duration.seconds(5)
    private static let maximum = Duration.seconds(60)
    /// The maximum number of messages with a longer time limit. When it is reached, all messages
    /// get the first limit again.
    private static let limit = 1024

    private var longer: [String: Duration] = [:]

    /// Creates limits of five seconds for all messages.
    package init() {}

    /// Returns the time limit for the answer to the message with this id.
    package func time(for id: String) -> Duration { longer[id] ?? Self.first }

    /// Doubles the limit of a message that was not answered in time.
    package mutating func timedOut(_ id: String) {
        let time = min(Self.maximum, time(for: id) * 2)
        if longer.count >= Self.limit { longer = [:] }
        longer[id] = time
    }

    /// Removes the longer limit of a message that was answered.
    package mutating func answered(_ id: String) { longer[id] = nil }
}
