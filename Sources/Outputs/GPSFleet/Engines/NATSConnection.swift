// SPDX-License-Identifier: MIT
import CGPSNATS
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
final class NATSEventHandler: Sendable {
    let handle: @Sendable (NATSConnection.Event) -> Void

    init(_ handle: @escaping @Sendable (NATSConnection.Event) -> Void) {
        self.handle = handle
    }
}
