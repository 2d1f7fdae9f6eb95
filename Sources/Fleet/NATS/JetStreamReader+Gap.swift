// SPDX-License-Identifier: MIT
import CNATS

extension JetStreamReader {
    /// Nanoseconds by which the clocks of servers may differ.
    private static let clockError: Int64 = 10_000_000_000
    /// Nanoseconds that are read again where nothing is known of the time before.
    private static let past: Int64 = 600_000_000_000

    /// The messages that the consumer skips since the servers have lost others that it had delivered: these numbers
    /// belong to new messages now. `nil` where they have lost none.
    ///
    /// Blocks for some seconds at the most. Throws where the stream or the consumer does not answer.
    func gap(after mark: Mark?) throws(FleetError) -> Gap? {
        let delivered = try delivered()
        var info: UnsafeMutablePointer<jsStreamInfo>?
        let status = js_GetStreamInfo(&info, connection.jetStream, settings.stream, nil, nil)
        defer { jsStreamInfo_Destroy(info) }
        guard status == NATS_OK, let state = info?.pointee.State else {
            throw FleetError("the stream \(settings.stream): \(NATSConnection.text(status))")
        }
        if state.LastSeq >= max(delivered, mark?.sequence ?? 0) {
            guard let mark, mark.sequence >= state.FirstSeq, !has(mark) else { return nil }
        }
        let start = mark.map { $0.time - Self.clockError } ?? (state.LastTime - Self.past)
        // A server that notices it lets the consumer continue behind the last message of that moment.
        return Gap(start: max(0, start), end: max(delivered, state.LastSeq))
    }

    /// The number of the last message that the consumer has delivered.
    private func delivered() throws(FleetError) -> UInt64 {
        var info: UnsafeMutablePointer<jsConsumerInfo>?
        let status = js_GetConsumerInfo(
            &info, connection.jetStream, settings.stream, settings.consumer, nil, nil)
        defer { jsConsumerInfo_Destroy(info) }
        guard status == NATS_OK, let info else {
            throw FleetError(
                "the consumer \(settings.consumer): \(NATSConnection.text(status))")
        }
        return info.pointee.Delivered.Stream
    }

    /// Whether the stream still has a message; `false` also where it does not answer.
    private func has(_ mark: Mark) -> Bool {
        var message: OpaquePointer?
        let status = js_GetMsg(
            &message, connection.jetStream, settings.stream, mark.sequence, nil, nil)
        // People have removed it since.
        guard status == NATS_OK, let message else { return status == NATS_NOT_FOUND }
        defer { natsMsg_Destroy(message) }
        return natsMsg_GetTime(message) == mark.time
    }
}
