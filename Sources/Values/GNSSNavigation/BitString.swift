// SPDX-License-Identifier: MIT

/// A sequence of bits, numbered from 0 in the order of transmission.
package struct BitString: Hashable, Sendable {
    /// The bits, padded with zeros to whole bytes, the most significant bit of each byte first.
    package private(set) var bytes: [UInt8]
    package private(set) var count: Int

    /// Creates the bits of bytes, the most significant bit of each byte first.
    package init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
        count = bytes.count * 8
    }

    /// Appends the `width` least significant bits of a number, at most 64.
    package mutating func append(long number: UInt64, width: Int) {
        if width > 32 { append(UInt32(truncatingIfNeeded: number >> 32), width: width - 32) }
        append(UInt32(truncatingIfNeeded: number), width: min(width, 32))
    }

    /// Appends the `width` least significant bits of a number.
    package mutating func append(_ number: UInt32, width: Int) {
        var rest = width
        while rest > 0 {
            if count.isMultiple(of: 8) { bytes.append(0) }
            let part = min(rest, 8 - count % 8)
            rest -= part
            let bits = UInt8(truncatingIfNeeded: number >> UInt32(rest)) & (0xFF >> UInt8(8 - part))
            bytes[count / 8] |= bits << UInt8(8 - count % 8 - part)
            count += part
        }
    }

    /// The bit at an index; `false` beyond the end.
    package subscript(index: Int) -> Bool {
        index < count && bytes[index / 8] << UInt8(index % 8) & 0x80 != 0
    }

    /// Returns `width` bits from `start`, at most 32, as an unsigned number. Bits beyond the end are
    /// 0.
    package func number(_ start: Int, _ width: Int) -> Int {
        var number = 0
        let end = start + width
        for index in start / 8...(end - 1) / 8 {
            number = number << 8 | (index < bytes.count ? Int(bytes[index]) : 0)
        }
        return number >> ((8 - end % 8) % 8) & (1 << width - 1)
    }

    /// Returns the remainder of the bits at some indices, as a polynomial, divided by another one.
    ///
    /// It is 0 if the last of the bits are the right checksum of the others.
    func remainder(of indices: some Sequence<Int>, by polynomial: UInt32) -> UInt32 {
        let top: UInt32 = 1 << UInt32(31 - polynomial.leadingZeroBitCount)
        var remainder: UInt32 = 0
        for index in indices {
            remainder = remainder << 1 | (self[index] ? 1 : 0)
            if remainder & top != 0 { remainder ^= polynomial }
        }
        return remainder
    }

    /// The polynomial of CRC-24Q, which protects messages of Galileo.
    static let crc24Q: UInt32 = 0x186_4CFB
}
