// SPDX-License-Identifier: MIT
import CGPSNATS

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
