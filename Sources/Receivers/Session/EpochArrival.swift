// SPDX-License-Identifier: MIT
public import Devices

/// When the bytes of an epoch arrived from a live receiver: the instants at which they had been read.
public struct EpochArrival: Hashable, Sendable {
    /// When its first byte had arrived.
    public let firstByte: MonotonicInstant
    /// When the byte that completed it had arrived.
    public let lastByte: MonotonicInstant

    /// Creates an arrival.
    public init(firstByte: MonotonicInstant, lastByte: MonotonicInstant) {
        self.firstByte = firstByte
        self.lastByte = lastByte
    }
}
