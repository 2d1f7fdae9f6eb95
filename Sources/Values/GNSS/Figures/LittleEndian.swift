// SPDX-License-Identifier: MIT

extension FixedWidthInteger {
    /// The bytes of the number, least significant first.
    package var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }

    /// Creates the number that bytes form, least significant first.
    package init(littleEndianBytes bytes: some BidirectionalCollection<UInt8>) {
        self = bytes.reversed().reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
    }
}
