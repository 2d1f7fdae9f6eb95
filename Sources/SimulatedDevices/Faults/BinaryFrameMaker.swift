// SPDX-License-Identifier: MIT

/// Makes binary frames that are right in everything but what they say.
enum BinaryFrameMaker {
    /// A frame of a protocol, filled at random.
    static func frame(_ kind: BinaryFrames, _ random: inout SeededGenerator) -> [UInt8] {
        switch kind {
        case .ubx: ubx(random.bytes(92))
        case .rtcm3: rtcm3(random.bytes(20 + Int(random.next() % 200)))
        }
    }

    /// UBX-NAV-PVT: the sync, class, id, length, payload and a Fletcher checksum.
    private static func ubx(_ payload: [UInt8]) -> [UInt8] {
        let body = [0x01, 0x07, UInt8(payload.count & 0xFF), UInt8(payload.count >> 8)] + payload
        var (a, b): (UInt8, UInt8) = (0, 0)
        for byte in body {
            a &+= byte
            b &+= a
        }
        return [0xB5, 0x62] + body + [a, b]
    }

    /// The preamble, six zero bits and a length, payload and CRC-24Q.
    private static func rtcm3(_ payload: [UInt8]) -> [UInt8] {
        let body = [0xD3, UInt8(payload.count >> 8 & 3), UInt8(payload.count & 0xFF)] + payload
        var crc: UInt32 = 0
        for byte in body {
            crc ^= UInt32(byte) << 16
            for _ in 0..<8 {
                crc <<= 1
                if crc & 0x100_0000 != 0 { crc ^= 0x186_4CFB }
            }
        }
        return body + [UInt8(crc >> 16 & 0xFF), UInt8(crc >> 8 & 0xFF), UInt8(crc & 0xFF)]
    }
}

extension SeededGenerator {
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    /// Whether something happens that has this probability.
    mutating func happens(_ probability: Double) -> Bool {
        probability >= 1 || unit() < probability
    }

    /// A whole number from 0 up to a limit above it.
    mutating func below(_ limit: Int) -> Int {
        limit > 0 ? Int(next() % UInt64(limit)) : 0
    }
}
