// SPDX-License-Identifier: MIT
import CGPSNATS

extension JetStreamReader {
    /// Nanoseconds before an interruption that are read again: clocks of servers may differ, and an interruption may
    /// follow another one.
    private static let overlap: Int64 = 20_000_000_000
    /// Nanoseconds that are read again where nothing is known of the time before.
    private static let past: Int64 = 600_000_000_000

    /// The messages that the consumer may skip after an interruption: servers that have lost messages give their numbers to
    /// new ones, and after a kill a message may have other numbers on one server than on another. `nil` where none was
    /// read before, and the stream has all that the consumer has delivered.
    ///
    /// Blocks for some seconds at the most. Throws where the stream or the consumer does not answer.
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
}
