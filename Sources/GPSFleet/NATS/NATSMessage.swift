// SPDX-License-Identifier: MIT
import CGPSNATS

/// A received message. Used by one thread at a time.
///
/// The corresponding C type is `natsMsg`.
final class NATSMessage {
    private let message: OpaquePointer
    /// Keeps the subscription alive, which an acknowledgement needs.
    private let owner: AnyObject
    /// The subject it was published under.
    let subject: String
    /// The stream it is in, and its number there; empty and 0 if no stream stores it.
    let stream: String
    let sequence: UInt64
    /// When it was stored, in nanoseconds of Unix time; 0 if no stream stores it.
    let time: Int64

    /// Takes ownership of a message that a subscription returned.
    init(_ message: OpaquePointer, of owner: AnyObject) {
        self.message = message
        self.owner = owner
        subject = natsMsg_GetSubject(message).map { String(cString: $0) } ?? ""
        var data: UnsafeMutablePointer<jsMsgMetaData>?
        let metadata = natsMsg_GetMetaData(&data, message) == NATS_OK ? data?.pointee : nil
        defer { jsMsgMetaData_Destroy(data) }
        stream = metadata?.Stream.map { String(cString: $0) } ?? ""
        sequence = metadata?.Sequence.Stream ?? 0
        time = metadata?.Timestamp ?? 0
    }

    deinit { natsMsg_Destroy(message) }

    /// The payload.
    var bytes: [UInt8] {
        let count = Int(natsMsg_GetDataLength(message))
        guard count > 0, let data = natsMsg_GetData(message) else { return [] }
        return UnsafeRawBufferPointer(start: data, count: count).map { $0 }
    }

    /// Acknowledges the message. If the acknowledgement is lost, the engine delivers the message
    /// again.
    ///
    /// The corresponding C function is `natsMsg_Ack`.
    func acknowledge() {
        _ = natsMsg_Ack(message, nil)
    }
}
