// SPDX-License-Identifier: MIT
import GNSS

/// Determines when epochs arrived from the arrival times of chunks.
///
/// An epoch begins with the first chunk after a silence; on a line that is never silent, with the
/// first chunk after the previous epoch.
struct ArrivalTracker {
    private(set) var lastChunk: MonotonicInstant?
    private var firstChunk: MonotonicInstant?
    private var byteCount = 0

    /// Records a chunk.
    mutating func received(_ count: Int, at now: MonotonicInstant, afterSilence: Bool) {
        if afterSilence || firstChunk == nil { (firstChunk, byteCount) = (now, 0) }
        byteCount += count
        lastChunk = now
    }

    /// Returns the arrival of a completed epoch; `nil` if there was no chunk.
    mutating func completeEpoch() -> EpochArrival? {
        guard let lastChunk else { return nil }
        defer { firstChunk = nil }
        return EpochArrival(
            firstByte: firstChunk ?? lastChunk, lastByte: lastChunk,
            byteCount: firstChunk == nil ? nil : byteCount)
    }
}
