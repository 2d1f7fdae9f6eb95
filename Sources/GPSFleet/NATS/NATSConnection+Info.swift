// SPDX-License-Identifier: MIT
import CGPSNATS

/// The reason why there is no information about a stream or a consumer.
struct JetStreamFailure: Error {
    let status: natsStatus
    /// JetStream's error code; 0 if no server answered.
    let code: jsErrCode

    /// The library's text for the status.
    var text: String { NATSConnection.text(status) }
}

extension NATSConnection {
    /// Requests the information about a stream, and returns the values that `read` selects.
    ///
    /// Blocks for a few seconds at most. Throws an error if the stream does not exist or does not
    /// answer. The corresponding C function is `js_GetStreamInfo`.
    func streamInfo<R>(
        _ stream: String, _ read: (jsStreamInfo) -> R
    ) throws(JetStreamFailure) -> R {
        var info: UnsafeMutablePointer<jsStreamInfo>?
        var code = jsErrCode(0)
        let status = js_GetStreamInfo(&info, jetStream, stream, nil, &code)
        defer { jsStreamInfo_Destroy(info) }
        guard status == NATS_OK, let info else {
            throw JetStreamFailure(status: status, code: code)
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
    ) throws(JetStreamFailure) -> R {
        var info: UnsafeMutablePointer<jsConsumerInfo>?
        var code = jsErrCode(0)
        let status = js_GetConsumerInfo(&info, jetStream, stream, consumer, nil, &code)
        defer { jsConsumerInfo_Destroy(info) }
        guard status == NATS_OK, let info else {
            throw JetStreamFailure(status: status, code: code)
        }
        return read(info.pointee)
    }
}
