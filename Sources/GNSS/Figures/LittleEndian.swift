// SPDX-License-Identifier: MIT

extension FixedWidthInteger {
    /// The bytes of the number, least significant first.
    package var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
