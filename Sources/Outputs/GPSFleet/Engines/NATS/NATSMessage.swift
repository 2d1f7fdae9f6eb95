// SPDX-License-Identifier: MIT
import CGPSNATS

/// A received message. It is used by one thread at a time.
///
/// The corresponding C type is `natsMsg`.
final class NATSMessage {
    private let message: OpaquePointer
    /// The object that owns the subscription. It is kept alive, because acknowledging needs the
    /// subscription.
    private let owner: AnyObject
    /// The subject on which the message was published.
    let subject: String
    /// The name of the stream that contains the message; empty if no stream stores it.
    let stream: String
    /// The message's sequence number in the stream; 0 if no stream stores it.
    let sequence: UInt64
    /// The time when the message was stored, in nanoseconds of Unix time; 0 if no stream stores it.
    let time: Int64

    /// Takes ownership of a message that a subscription returned. `owner` is the object that owns
    /// the subscription.
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

    /// The encoded content of the message.
    var bytes: [UInt8] {
        let count = Int(natsMsg_GetDataLength(message))
        guard count > 0, let data = natsMsg_GetData(message) else { return [] }
        return UnsafeRawBufferPointer(start: data, count: count).map { $0 }
    }

    /// Acknowledges the message without waiting. If the acknowledgement is lost, the server
    /// delivers the message again.
    ///
    /// The corresponding C function is `natsMsg_Ack`.
    func acknowledge() {
        _ = natsMsg_Ack(message, nil)
    }
}
