// SPDX-License-Identifier: MIT
public import GNSS

/// The arrival times of an epoch's bytes from a live receiver: the instants at which they had been
/// read.
public struct EpochArrival: Hashable, Sendable {
    /// The time at which the first byte had arrived.
    public let firstByte: MonotonicInstant
    /// The time at which the byte that completed the epoch had arrived.
    public let lastByte: MonotonicInstant
    /// The number of bytes from the first chunk to the last; `nil` if they were not counted.
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
