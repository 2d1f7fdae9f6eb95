// SPDX-License-Identifier: MIT
import NMEA
import UBX

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
    UBXFrame.bytes(MonVER.id, payload: payload)
}

/// An RTCM 3 frame with a right check value.
func rtcm(_ payload: [UInt8]) -> [UInt8] {
    let frame: [UInt8] = [0xD3, UInt8(payload.count >> 8), UInt8(payload.count & 255)] + payload
    let crc = FrameChecksum.rtcm3(frame.span)
    return frame + [UInt8(crc >> 16), UInt8(crc >> 8 & 255), UInt8(crc & 255)]
}
