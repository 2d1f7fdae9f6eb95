// SPDX-License-Identifier: MIT

/// A whole sentence: start character, checksum and line end are put around `body`.
func line(_ body: String, start: String = "$", end: String = "\r\n") -> String {
    let sum = body.utf8.reduce(0, ^)
    let digits = Array("0123456789ABCDEF")
    return "\(start)\(body)*\(digits[Int(sum >> 4)])\(digits[Int(sum & 15)])\(end)"
}

extension String {
    var bytes: [UInt8] { Array(utf8) }
}

/// A UBX frame with a right check value.
func ubx(_ payload: [UInt8]) -> [UInt8] {
    let checked: [UInt8] =
        [0x0A, 0x04, UInt8(payload.count & 255), UInt8(payload.count >> 8)] + payload
    var a: UInt8 = 0
    var b: UInt8 = 0
    for byte in checked {
        a &+= byte
        b &+= a
    }
    return [0xB5, 0x62] + checked + [a, b]
}

/// An RTCM 3 frame with a right check value.
func rtcm(_ payload: [UInt8]) -> [UInt8] {
    let frame: [UInt8] = [0xD3, UInt8(payload.count >> 8), UInt8(payload.count & 255)] + payload
    var remainder: UInt32 = 0
    for byte in frame {
        for bit in (0..<8).reversed() {
            let top = remainder >> 23 & 1 ^ UInt32(byte >> UInt8(bit) & 1)
            remainder = remainder << 1 & 0xFF_FFFF
            if top == 1 { remainder ^= 0x86_4CFB }
        }
    }
    return frame + [UInt8(remainder >> 16), UInt8(remainder >> 8 & 255), UInt8(remainder & 255)]
}
