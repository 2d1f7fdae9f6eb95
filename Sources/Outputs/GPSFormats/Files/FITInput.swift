// SPDX-License-Identifier: MIT
import GNSS

/// The CRC-16 of FIT files: polynomial 0x8005, reflected, initially 0.
struct FITChecksum: Equatable {
    private static let table: [UInt16] = (0..<256).map { (byte: UInt16) -> UInt16 in
        var crc = byte
        for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xA001 : 0) }
        return crc
    }

    /// The checksum of the bytes added so far. It is 0 if they end with their own checksum.
    private(set) var value: UInt16 = 0

    /// Adds bytes.
    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            value = value >> 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: value) ^ byte)]
        }
    }

    /// The checksum as stored in files, low byte first.
    var bytes: [UInt8] { value.littleEndianBytes }
}
