// SPDX-License-Identifier: MIT

/// What waiting for bytes came to.
public enum DeviceInput: Equatable, Sendable {
    /// Bytes in the order sent, cut anywhere; never empty, at most 64 KiB.
    case bytes([UInt8])
    /// The deadline passed first.
    case silence
    /// There is nothing more, now or later.
    case end
}
