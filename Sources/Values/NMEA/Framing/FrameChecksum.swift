// SPDX-License-Identifier: MIT

/// CRCs of binary frames other than UBX.
package enum FrameChecksum {
    /// The lookup table of CRC-24Q: the CRC of each byte value.
    private static let ofBytes: [UInt32] = (0..<256).map { byte in
        var crc = UInt32(byte) << 16
        for _ in 0..<8 { crc = crc & 0x80_0000 != 0 ? crc << 1 ^ 0x186_4CFB : crc << 1 }
        return crc
    }

    /// Returns the CRC-24Q of an RTCM 3 frame. `bytes` are all bytes of the frame before the CRC.
    package static func rtcm3(_ bytes: Span<UInt8>) -> UInt32 {
        let ofBytes = ofBytes
        var crc: UInt32 = 0
        for i in bytes.indices {
            crc = (crc << 8 & 0xFF_FFFF) ^ ofBytes[Int(crc >> 16 ^ UInt32(bytes[i]))]
        }
        return crc
    }
}
