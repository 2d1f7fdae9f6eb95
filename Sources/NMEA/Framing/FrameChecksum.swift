// SPDX-License-Identifier: MIT

/// CRCs of binary frames other than UBX.
package enum FrameChecksum {
    /// Returns the CRC-24Q of an RTCM 3 frame. `bytes` are all bytes of the frame before the CRC.
    package static func rtcm3(_ bytes: Span<UInt8>) -> UInt32 {
        var crc: UInt32 = 0
        for i in bytes.indices {
            crc ^= UInt32(bytes[i]) << 16
            for _ in 0..<8 { crc = crc & 0x80_0000 != 0 ? crc << 1 ^ 0x186_4CFB : crc << 1 }
        }
        return crc & 0xFF_FFFF
    }
}
