// SPDX-License-Identifier: MIT
import CGPSNATS

extension JetStreamReader {
    /// How much of the time before an interruption is read again, in nanoseconds. This is needed
    /// because server clocks may differ, and because several interruptions may follow each other.
    private static let overlap: Int64 = 20_000_000_000
    /// How much of the time before the stream's last message is read again if nothing was read
    /// before the interruption, in nanoseconds.
    private static let initialOverlap: Int64 = 600_000_000_000

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

    /// Returns the stream's sequence number of the last message that the consumer has delivered.
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
