// SPDX-License-Identifier: MIT
import GNSS

/// Finds when epochs arrived from when chunks of bytes did.
///
/// An epoch begins with the first chunk after a silence; on a line that is never silent, with the first
/// one after the epoch before.
struct ArrivalTracker {
    private(set) var lastChunk: MonotonicInstant?
    private var firstChunk: MonotonicInstant?
    private var byteCount = 0

    /// Call for each chunk.
    mutating func received(_ count: Int, at now: MonotonicInstant, afterSilence: Bool) {
        if afterSilence || firstChunk == nil { (firstChunk, byteCount) = (now, 0) }
        byteCount += count
        lastChunk = now
    }

    /// Call when an epoch is complete; returns its arrival.
    mutating func completeEpoch() -> EpochArrival? {
        guard let lastChunk else { return nil }
        defer { firstChunk = nil }
        return EpochArrival(
            firstByte: firstChunk ?? lastChunk, lastByte: lastChunk,
            byteCount: firstChunk == nil ? nil : byteCount)
    }
}
