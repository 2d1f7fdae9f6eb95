// SPDX-License-Identifier: MIT
import GNSS
import GPSIO

/// Determines when the first byte of a burst arrived, from the arrival times of chunks.
///
/// A burst begins after a pause. If the line never pauses, no starts are found.
package struct BurstTimer: Sendable {
    /// The minimum pause before a burst, in nanoseconds. It is longer than the pauses within a
    /// burst, which last up to 16 ms with an FTDI chip, and has a margin for the system.
    private static let silence: Int64 = 60_000_000

    /// The start of the current burst by the system's real-time clock, in nanoseconds since 1970;
    /// `nil` if it is not known, or after `takeStart()`.
    package private(set) var start: Int64?
    /// The start of the last burst by the monotonic clock, in nanoseconds; `nil` before the first
    /// burst.
    package private(set) var steadyStart: Int64?
    private var lastArrival: Int64?
    private let ignoresBaudRate: Bool

    /// Creates a timer for a line that has just been opened. Pass `true` as `ignoresBaudRate` if
    /// the baud rate does not limit the transmission, as with built-in USB.
    package init(ignoresBaudRate: Bool = false) {
        self.ignoresBaudRate = ignoresBaudRate
    }

    /// Processes the arrival of a chunk. `now` is the monotonic time and `clock` the time of the
    /// system's real-time clock, both in nanoseconds.
    ///
    /// The start of a burst is the arrival time of its first chunk. If the baud rate is known and
    /// not ignored, the chunk's transmission time is subtracted.
    package mutating func receive(byteCount: Int, baudRate: Int?, now: Int64, clock: Int64) {
        defer { lastArrival = now }
        guard let lastArrival, now - lastArrival >= Self.silence else { return }
        // Ten bits per byte, with start and stop bit.
        let rate = ignoresBaudRate ? nil : baudRate
        let duration = rate.map { Int64(byteCount) * 10_000_000_000 / Int64(max($0, 1)) } ?? 0
        let lateness = min(duration, now - lastArrival)
        (start, steadyStart) = (clock - lateness, now - lateness)
    }

    /// Processes the arrival of a chunk at the current time. Call it immediately after reading the
    /// chunk.
    package mutating func receive(byteCount: Int, baudRate: Int?) {
        receive(
            byteCount: byteCount, baudRate: baudRate, now: MonotonicInstant.now.nanoseconds,
            clock: SystemClock.nanoseconds ?? 0)
    }

    /// Returns `start` and sets it to `nil`, so that the start of each burst is returned only once.
    package mutating func takeStart() -> Int64? { exchange(&start, with: nil) }
}
