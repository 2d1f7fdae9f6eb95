// SPDX-License-Identifier: MIT
import CGPSNATS

extension JetStreamReader {
    /// How much of the time before an interruption is read again, in nanoseconds. This is needed
    /// because server clocks may differ, and because several interruptions may follow each other.
    private static let overlap: Int64 = 20_000_000_000
    /// How much of the time before the stream's last message is read again if nothing was read
    /// before the interruption, in nanoseconds.
    private static let past: Int64 = 600_000_000_000

    /// Returns the range of messages that the consumer may skip after an interruption. `newest` is
    /// the time at which the newest message read before was stored, in nanoseconds of Unix time. If
    /// it is `nil`, returns `nil` unless the stream has lost messages that the consumer delivered.
    ///
    /// The consumer may skip messages because servers that lose messages assign their sequence
    /// numbers again, and because a message may have different numbers on different servers after
    /// one was killed.
    ///
    /// Blocks for a few seconds at most. Throws an error if the stream or the consumer does not
    /// answer.
    func gap(after newest: Int64?) throws(FleetError) -> Gap? {
        let delivered = try delivered()
        var info: UnsafeMutablePointer<jsStreamInfo>?
        let status = js_GetStreamInfo(&info, connection.jetStream, settings.stream, nil, nil)
        defer { jsStreamInfo_Destroy(info) }
        guard status == NATS_OK, let state = info?.pointee.State else {
            throw FleetError("the stream \(settings.stream): \(NATSConnection.text(status))")
        }
        guard newest != nil || state.LastSeq < delivered else { return nil }
        let start = newest.map { $0 - Self.overlap } ?? (state.LastTime - Self.past)
        return Gap(start: max(0, start), end: delivered)
    }

    /// Returns the stream's sequence number of the last message that the consumer has delivered.
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
}
