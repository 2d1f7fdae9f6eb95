// SPDX-License-Identifier: MIT
import GNSS

/// Determines the arrival times of epochs from those of chunks.
///
/// An epoch begins with the first chunk after a silence. If the line is never silent, an epoch
/// begins with the first chunk after the previous epoch.
struct ArrivalTracker {
    private(set) var lastChunk: MonotonicInstant?
    private var firstChunk: MonotonicInstant?
    private var byteCount = 0

    /// Processes the arrival of a chunk of `count` bytes.
    mutating func received(_ count: Int, at now: MonotonicInstant, afterSilence: Bool) {
        if afterSilence || firstChunk == nil { (firstChunk, byteCount) = (now, 0) }
        byteCount += count
        lastChunk = now
    }

    /// Returns the arrival times of the epoch that has just been completed; `nil` if no chunk was
    /// received.
    mutating func completeEpoch() -> EpochArrival? {
        guard let lastChunk else { return nil }
        defer { firstChunk = nil }
        return EpochArrival(
            firstByte: firstChunk ?? lastChunk, lastByte: lastChunk,
            byteCount: firstChunk == nil ? nil : byteCount)
    }
}
