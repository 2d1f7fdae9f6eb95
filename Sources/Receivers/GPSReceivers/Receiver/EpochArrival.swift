// SPDX-License-Identifier: MIT
public import GNSS

/// The arrival times of an epoch's bytes from a live receiver, taken after each read.
public struct EpochArrival: Hashable, Sendable {
    /// The time after the read that returned the epoch's first byte.
    public let firstByte: MonotonicInstant
    /// The time after the read that returned the byte that completed the epoch.
    public let lastByte: MonotonicInstant
    /// The number of bytes in the epoch's chunks; `nil` if they were not counted.
    package let byteCount: Int?

    /// Creates the arrival times of an epoch.
    public init(firstByte: MonotonicInstant, lastByte: MonotonicInstant) {
        self.init(firstByte: firstByte, lastByte: lastByte, byteCount: nil)
    }

    /// Creates the arrival times and the number of bytes of an epoch.
    package init(firstByte: MonotonicInstant, lastByte: MonotonicInstant, byteCount: Int?) {
        self.firstByte = firstByte
        self.lastByte = lastByte
        self.byteCount = byteCount
    }
}
