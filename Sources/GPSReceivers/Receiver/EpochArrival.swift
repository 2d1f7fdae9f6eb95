// SPDX-License-Identifier: MIT
public import GNSS

/// When the bytes of an epoch arrived from a live receiver: the instants at which they had been read.
public struct EpochArrival: Hashable, Sendable {
    /// When its first byte had arrived.
    public let firstByte: MonotonicInstant
    /// When the byte that completed it had arrived.
    public let lastByte: MonotonicInstant
    /// How many bytes came from the first chunk to the last; `nil` where that was not counted.
    package let byteCount: Int?

    /// Creates an arrival.
    public init(firstByte: MonotonicInstant, lastByte: MonotonicInstant) {
        self.init(firstByte: firstByte, lastByte: lastByte, byteCount: nil)
    }

    /// Creates an arrival with a count of bytes.
    package init(firstByte: MonotonicInstant, lastByte: MonotonicInstant, byteCount: Int?) {
        self.firstByte = firstByte
        self.lastByte = lastByte
        self.byteCount = byteCount
    }
}
