// SPDX-License-Identifier: MIT
import NMEA
import UBX

/// Returns a whole sentence: `body` with start character, checksum and line end.
func line(_ body: String, start: String = "$", end: String = "\r\n") -> String {
    let sum = body.utf8.reduce(0, ^)
    let digits = Array("0123456789ABCDEF")
    return "\(start)\(body)*\(digits[Int(sum >> 4)])\(digits[Int(sum & 15)])\(end)"
}

extension String {
    var bytes: [UInt8] { Array(utf8) }
}

/// Returns a UBX frame with a valid checksum.
func ubx(_ payload: [UInt8]) -> [UInt8] {
    UBXFrame.bytes(MonVER.id, payload: payload)
}

/// Returns an RTCM 3 frame with a valid CRC.
func rtcm(_ payload: [UInt8]) -> [UInt8] {
    let frame: [UInt8] = [0xD3, UInt8(payload.count >> 8), UInt8(payload.count & 255)] + payload
    let crc = FrameChecksum.rtcm3(frame.span)
    return frame + [UInt8(crc >> 16), UInt8(crc >> 8 & 255), UInt8(crc & 255)]
}
