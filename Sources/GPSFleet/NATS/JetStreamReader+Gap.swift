// SPDX-License-Identifier: MIT
import CGPSNATS

extension JetStreamReader {
    /// Nanoseconds before an interruption that are read again: server clocks may differ, and
    /// interruptions may follow each other.
    private static let overlap: Int64 = 20_000_000_000
    /// Nanoseconds that are read again if nothing was read before the interruption.
    private static let past: Int64 = 600_000_000_000

    /// Returns the range that the consumer may skip after an interruption; `nil` if nothing was
    /// read before and the stream has everything that the consumer delivered.
    ///
    /// Servers that lose messages assign their numbers to new ones, and after a kill a message may
    /// have different numbers on different servers.
    ///
    /// Blocks for a few seconds at most. Throws if the stream or the consumer does not answer.
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

    /// Returns the number of the last message that the consumer has delivered.
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
