// SPDX-License-Identifier: MIT

/// The binary messages of Unicore's UM98x.
///
///     AA 44 B5, idle time, id (2 bytes), length (2 bytes), 16 more bytes of header, payload, CRC-32
enum UnicoreFrame {
    private static let headerCount = 24

    /// Recognises the message at the start of the bytes.
    static func recognise(_ bytes: ArraySlice<UInt8>) -> FrameRecognition {
        let bytes = Array(bytes)
        for (byte, expected) in zip(bytes, [0xAA, 0x44, 0xB5] as [UInt8]) where byte != expected {
            return .none
        }
        guard let id = bytes.number(at: 4, count: 2), let length = bytes.number(at: 6, count: 2)
        else { return .incomplete }
        guard length <= 8192 else { return .none }
        let end = headerCount + Int(length)
        guard let sent = bytes.number(at: end, count: 4) else { return .incomplete }
        guard sent == checksum(bytes[..<end]) else { return .none }
        return .message(
            .unicore(UInt16(truncatingIfNeeded: id), Array(bytes[headerCount..<end])),
            count: end + 4)
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var crc: UInt32 = 0
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return crc
    }
}
