// SPDX-License-Identifier: MIT
import CGPSNATS
import Glibc
import Synchronization

/// A connection to servers of NATS that lasts: it looks for another server when one is gone.
///
/// The corresponding C type is `natsConnection`.
package final class NATSConnection: Sendable {
    /// A change of the connection's state.
    package enum Event: Sendable {
        /// It is there, for the first time or again.
        case connected
        /// It is gone; another server is looked for.
        case disconnected(String)
        /// Something was refused, such as a subject.
        case error(String)
        /// It is over: no server takes what is given to prove who connects.
        case closed(String)
    }

    /// The corresponding C object; it lives as long as this one.
    // Safety: libnats locks its connections itself, and the pointer never changes.
    nonisolated(unsafe) let connection: OpaquePointer
    // Safety: as above.
    nonisolated(unsafe) let jetStream: OpaquePointer

    private let acknowledgement: Acknowledgement?

    /// Receives the answer to a message that was published: its id, and where it is stored or why it is not.
    typealias AckHandler = @Sendable (_ id: String, _ result: Result<StoreReceipt, Failure>) -> Void

    /// Connects, or begins to try to; blocks for some seconds at the most.
    ///
    /// The handlers are called on threads of libnats. Throws where that can never succeed.
    package convenience init(
        _ url: EngineURL, _ access: EngineAccess, name: String,
        onEvent: @escaping @Sendable (Event) -> Void
    ) throws(FleetError) {
        try self.init(url, access, name: name, onAck: nil, onEvent: onEvent)
    }

    init(
        _ url: EngineURL, _ access: EngineAccess, name: String, onAck: AckHandler?,
        onEvent: @escaping @Sendable (Event) -> Void
    ) throws(FleetError) {
        let options = try NATSOptions(url, access, name: name)
        let handler = Unmanaged.passRetained(NATSEventHandler(onEvent))
        options.report(to: handler.toOpaque())
        var connection: OpaquePointer?
        let status = natsConnection_Connect(&connection, options.pointer)
        guard status == NATS_OK || status == NATS_NOT_YET_CONNECTED, let connection else {
            handler.release()
            throw FleetError("\(url): \(Self.text(status))")
        }
        self.connection = connection
        acknowledgement = onAck.map { Acknowledgement($0) }
        var context: OpaquePointer?
        var jsOptions = CGPSNATS.jsOptions()
        jsOptions_Init(&jsOptions)
        jsOptions.Wait = 5000
        if let acknowledgement {
            jsOptions.PublishAsync.AckHandler = Acknowledgement.forward
            // Kept for ever: the library does not say when a call that has begun is over.
            jsOptions.PublishAsync.AckHandlerClosure =
                Unmanaged.passRetained(acknowledgement).toOpaque()
        }
        guard natsConnection_JetStream(&context, connection, &jsOptions) == NATS_OK, let context
        else {
            natsConnection_Destroy(connection)
            throw FleetError("\(url): out of memory")
        }
        jetStream = context
        // The library does not report a first attempt that fails and is retried.
        onEvent(
            status == NATS_OK
                ? .connected : .disconnected(NATSOptions.lastError(connection)))
    }

    deinit {
        natsConnection_Close(connection)
        // No answer can come any more; it frees what waits for one.
        jsCtx_Destroy(jetStream)
        natsConnection_Destroy(connection)
        acknowledgement?.end()
    }

    /// Whether a server is connected.
    package var isConnected: Bool {
        natsConnection_Status(connection) == NATS_CONN_STATUS_CONNECTED
    }

    /// The library's words for a status.
    static func text(_ status: natsStatus) -> String {
        natsStatus_GetText(status).map { String(cString: $0) } ?? "error \(status.rawValue)"
    }
}

extension NATSConnection {
    /// Why a message is not stored.
    struct Failure: Error {
        let status: natsStatus
        let text: String
    }

    /// Publishes a message to JetStream; the handler of acknowledgements is called with its id once it is
    /// answered, or `maxWait` is over.
    ///
    /// Throws where it cannot even be sent. The corresponding C function is `js_PublishMsgAsync`.
    func publish(
        _ subject: String, _ bytes: [UInt8], id: String, maxWait: Duration
    ) throws(FleetError) {
        var message: OpaquePointer?
        let status = bytes.withUnsafeBytes { bytes in
            natsMsg_Create(
                &message, subject, nil, bytes.bindMemory(to: CChar.self).baseAddress,
                CInt(bytes.count))
        }
        guard status == NATS_OK else { throw FleetError(Self.text(status)) }
        var options = jsPubOptions()
        jsPubOptions_Init(&options)
        // Without it, a lost acknowledgement is never reported.
        options.MaxWait = maxWait.components.seconds * 1000
        let result = id.withCString { id in
            options.MsgId = id
            return js_PublishMsgAsync(jetStream, &message, &options)
        }
        guard result == NATS_OK else {
            natsMsg_Destroy(message)
            throw FleetError(Self.text(result))
        }
    }

    /// Receives answers of JetStream.
    private final class Acknowledgement: Sendable {
        private let handler: AckHandler
        private let isOver = Atomic(false)

        init(_ handler: @escaping AckHandler) { self.handler = handler }

        func end() { isOver.store(true, ordering: .relaxed) }

        static let forward: jsPubAckHandler = { _, message, answer, error, context in
            defer { natsMsg_Destroy(message) }
            guard let context else { return }
            let object = Unmanaged<Acknowledgement>.fromOpaque(context).takeUnretainedValue()
            var id: UnsafePointer<CChar>?
            guard natsMsgHeader_Get(message, "Nats-Msg-Id", &id) == NATS_OK, let id,
                !object.isOver.load(ordering: .relaxed)
            else { return }
            let result: Result<StoreReceipt, Failure>
            if let answer = answer?.pointee, error == nil {
                let stream = answer.Stream.map { String(cString: $0) } ?? ""
                let place = StorePlace(stream: stream, number: answer.Sequence)
                result = .success(StoreReceipt(place: place, isDuplicate: answer.Duplicate))
            } else {
                let status = error?.pointee.Err ?? NATS_ERR
                let text = error?.pointee.ErrText.map { String(cString: $0) }
                result = .failure(
                    Failure(status: status, text: text ?? NATSConnection.text(status)))
            }
            object.handler(String(cString: id), result)
        }
    }
}

/// Receives what libnats reports of a connection, as long as that may call.
final class NATSEventHandler: Sendable {
    let handle: @Sendable (NATSConnection.Event) -> Void

    init(_ handle: @escaping @Sendable (NATSConnection.Event) -> Void) {
        self.handle = handle
    }
}
