// SPDX-License-Identifier: MIT

/// The check values of binary frames.
package enum FrameChecksum {
    /// UBX's two-byte Fletcher checksum of the bytes between the sync characters and the checksum.
    package static func ubx(_ bytes: Span<UInt8>) -> (UInt8, UInt8) {
        var (a, b): (UInt8, UInt8) = (0, 0)
        for i in bytes.indices {
            a &+= bytes[i]
            b &+= a
        }
        return (a, b)
    }

    /// The CRC-24Q of all bytes before it in an RTCM 3 frame.
    package static func rtcm3(_ bytes: Span<UInt8>) -> UInt32 {
        var crc: UInt32 = 0
        for i in bytes.indices {
            crc ^= UInt32(bytes[i]) << 16
            for _ in 0..<8 { crc = crc & 0x80_0000 != 0 ? crc << 1 ^ 0x186_4CFB : crc << 1 }
        }
        return crc & 0xFF_FFFF
    }

    /// Returns a UBX frame: adds sync characters and checksum to class, id, length and payload.
    package static func ubxFrame(_ body: [UInt8]) -> [UInt8] {
        let (a, b) = ubx(body.span)
        return [0xB5, 0x62] + body + [a, b]
    }
}
