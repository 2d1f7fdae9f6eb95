// SPDX-License-Identifier: MIT
import GNSS

/// Determines the arrival times of epochs from those of chunks.
///
/// An epoch begins with the first chunk after a silence. If the line is never silent, an epoch
/// begins with the first chunk after the previous epoch.
struct ArrivalTracker {
    private(set) var lastChunk: MonotonicInstant?
    /// The time of the last chunk, or the time of a later call of `beginSilence(at:)`.
    private(set) var silentSince: MonotonicInstant?
    private var firstChunk: MonotonicInstant?
    private var byteCount = 0

    /// Processes the arrival of a chunk of `count` bytes.
    mutating func received(_ count: Int, at now: MonotonicInstant, afterSilence: Bool) {
        if afterSilence || firstChunk == nil { (firstChunk, byteCount) = (now, 0) }
        byteCount += count
        (lastChunk, silentSince) = (now, now)
    }

    /// Begins to measure the silence before the next chunk. Call it when the line is opened or
    /// changed.
    mutating func beginSilence(at now: MonotonicInstant) {
        (firstChunk, silentSince) = (nil, now)
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
