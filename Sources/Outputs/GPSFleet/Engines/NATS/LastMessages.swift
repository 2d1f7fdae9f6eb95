// SPDX-License-Identifier: MIT
import CGPSNATS

/// A message stored in a stream.
package struct StoredMessage: Sendable {
    /// The encoded content of the message.
    package let bytes: [UInt8]
    /// The time when the message was stored according to the server's clock, in milliseconds of
    /// Unix time.
    package let time: Int64
}

extension NATSConnection {
    /// Returns the last message in a stream for each subject that matches `subjects`.
    ///
    /// Blocks until all messages have been received. Throws an error if the stream does not exist
    /// or does not answer for ten seconds.
    package func lastMessages(
        of stream: String, subjects: String
    ) throws(FleetError) -> [StoredMessage] {
        var options = jsSubOptions()
        jsSubOptions_Init(&options)
        options.Config.DeliverPolicy = js_DeliverLastPerSubject
        options.Config.AckPolicy = js_AckNone
        var subscription: OpaquePointer?
        var code = jsErrCode(0)
        let status = stream.withCString { stream in
            options.Stream = stream
            return js_SubscribeSync(
                &subscription, jetStream, subjects, nil, &options, &code)
        }
        guard status == NATS_OK, let subscription else {
            let failure = Failure(status, code: code)
            throw FleetError("the stream \(stream): \(failure.text(reading: subjects))")
        }
        defer {
            natsSubscription_Unsubscribe(subscription)
            natsSubscription_Destroy(subscription)
        }
        natsSubscription_SetPendingLimits(subscription, -1, -1)
        var info: UnsafeMutablePointer<jsConsumerInfo>?
        guard natsSubscription_GetConsumerInfo(&info, subscription, nil, nil) == NATS_OK else {
            throw FleetError("the stream \(stream): the server does not answer")
        }
        var rest = (info?.pointee.NumPending ?? 0) + (info?.pointee.Delivered.Consumer ?? 0)
        jsConsumerInfo_Destroy(info)
        var messages: [StoredMessage] = []
        while rest > 0 {
            var message: OpaquePointer?
            guard natsSubscription_NextMsg(&message, subscription, 10_000) == NATS_OK, let message
            else { throw FleetError("the stream \(stream): the server did not answer within 10 s") }
            let stored = NATSMessage(message, of: self)
            let bytes = stored.bytes
            if !bytes.isEmpty, stored.sequence > 0 {
                messages.append(StoredMessage(bytes: bytes, time: stored.time / 1_000_000))
            }
            rest -= 1
        }
        return messages
    }
}
