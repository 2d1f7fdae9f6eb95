// SPDX-License-Identifier: MIT

/// When the bytes of an epoch arrived from a live receiver: the instants at which they had been read.
public struct EpochArrival: Hashable, Sendable {
    /// When its first byte had arrived.
    public let firstByte: ContinuousClock.Instant
    /// When the byte that completed it had arrived.
    public let lastByte: ContinuousClock.Instant

    /// Creates an arrival.
    public init(firstByte: ContinuousClock.Instant, lastByte: ContinuousClock.Instant) {
        self.firstByte = firstByte
        self.lastByte = lastByte
    }
}
