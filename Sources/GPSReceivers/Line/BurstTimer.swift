// SPDX-License-Identifier: MIT
import GPSIO

/// Determines when the first byte of a burst arrived, from the arrival times of chunks.
///
/// A burst begins after a silence. A line that is never silent has no bursts.
package struct BurstTimer: Sendable {
    /// The maximum time between chunks of one burst, in nanoseconds: 16 ms with an FTDI chip, and a
    /// margin for the system.
    private static let silence: Int64 = 60_000_000

    /// The start of the current burst in nanoseconds of the system's clock; `nil` if unknown.
    package private(set) var start: Int64?
    private var lastArrival: Int64?

    /// Creates a timer of a line that has just been opened.
    package init() {}

    /// Records a chunk; `now` and `clock` are the monotonic and the system's clock in nanoseconds.
    ///
    /// If the baud rate is known, the transmission time of the chunk is subtracted.
    package mutating func receive(byteCount: Int, baudRate: Int?, now: Int64, clock: Int64) {
        defer { lastArrival = now }
        guard let lastArrival, now - lastArrival >= Self.silence else { return }
        // Ten bits per byte, with start and stop bit.
        let duration = baudRate.map { Int64(byteCount) * 10_000_000_000 / Int64(max($0, 1)) } ?? 0
        start = clock - min(duration, now - lastArrival)
    }

    /// Records a chunk at the current time; call it as soon as the chunk has been read.
    package mutating func receive(byteCount: Int, baudRate: Int?) {
        receive(
            byteCount: byteCount, baudRate: baudRate, now: SystemClock.steadyNanoseconds,
            clock: SystemClock.nanoseconds ?? 0)
    }

    /// Returns the start of the burst, once per burst.
    package mutating func takeStart() -> Int64? {
        defer { start = nil }
        return start
    }
}
