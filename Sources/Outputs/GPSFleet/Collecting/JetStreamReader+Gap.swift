// SPDX-License-Identifier: MIT
import CGPSNATS

extension JetStreamReader {
    /// The length of the period before an interruption of the connection that is read again, in
    /// nanoseconds. It is needed because server clocks may differ, and because several
    /// interruptions may follow each other.
    private static let overlap: Int64 = 20_000_000_000
    /// The length of the period before the stream's last message that is read again, in
    /// nanoseconds, if nothing was read before the interruption.
    private static let initialOverlap: Int64 = 600_000_000_000

    /// Returns the range of messages that the consumer may skip after an interruption of the
    /// connection. `newest` is the time at which the newest message read so far was stored, in
    /// nanoseconds of Unix time. If `newest` is `nil`, there is a range only if the stream has lost
    /// messages that the consumer delivered; otherwise, the result is `nil`.
    ///
    /// The consumer may skip messages because servers that lose messages assign their sequence
    /// numbers again, and because a message may have different numbers on different servers after
    /// one was killed.
    ///
    /// Blocks for a few seconds at most. Throws an error if the stream or the consumer does not
    /// answer.
    func gap(after newest: Int64?) throws(FleetError) -> Gap? {
        let delivered = try delivered()
        let last: (number: UInt64, time: Int64)
        do throws(NATSConnection.Failure) {
            last = try connection.streamInfo(settings.stream) {
                ($0.State.LastSeq, $0.State.LastTime)
            }
        } catch {
            throw FleetError("the stream \(settings.stream): \(error.text)")
        }
        guard newest != nil || last.number < delivered else { return nil }
        let start = newest.map { $0 - Self.overlap } ?? (last.time - Self.initialOverlap)
        return Gap(start: max(0, start), end: delivered)
    }

    /// Returns the sequence number, in the stream, of the last message that the consumer has
    /// delivered.
    private func delivered() throws(FleetError) -> UInt64 {
        do throws(NATSConnection.Failure) {
            return try connection.consumerInfo(settings.stream, settings.consumer) {
                $0.Delivered.Stream
            }
        } catch {
            throw FleetError("the consumer \(settings.consumer): \(error.text)")
        }
    }
}
