// SPDX-License-Identifier: MIT
import GPSIO

/// Finds when the first byte of a burst arrived, from when chunks of bytes did.
///
/// A burst begins behind a silence. On a line that is never silent nothing begins.
package struct BurstTimer: Sendable {
    /// Chunks of one burst come at most so far apart: 16 ms with an FTDI chip, and some for the system.
    private static let silence: Int64 = 60_000_000

    /// Nanoseconds of the system's clock at which the present burst began; `nil` while that is unknown.
    package private(set) var start: Int64?
    private var lastArrival: Int64?

    /// Creates a timer of a line that has just been opened.
    package init() {}

    /// Call with each chunk; `now` and `clock` are the monotonic and the system's clock in nanoseconds.
    ///
    /// With a baud rate the time that the chunk's own bytes took is taken off.
    package mutating func receive(byteCount: Int, baudRate: Int?, now: Int64, clock: Int64) {
        defer { lastArrival = now }
        guard let lastArrival, now - lastArrival >= Self.silence else { return }
        // Ten bits a byte with start and stop bit.
        let duration = baudRate.map { Int64(byteCount) * 10_000_000_000 / Int64(max($0, 1)) } ?? 0
        start = clock - min(duration, now - lastArrival)
    }

    /// Call with each chunk, as soon as it has been read.
    package mutating func receive(byteCount: Int, baudRate: Int?) {
        receive(
            byteCount: byteCount, baudRate: baudRate, now: SystemClock.steadyNanoseconds,
            clock: SystemClock.nanoseconds ?? 0)
    }

    /// Returns the start of the burst, once for each burst.
    package mutating func takeStart() -> Int64? {
        defer { start = nil }
        return start
    }
}
