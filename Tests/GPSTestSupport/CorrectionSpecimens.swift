// SPDX-License-Identifier: MIT
import GNSS
import NMEA

/// Messages of a ZED-F9T, which pyrtcm reads with the same values.
package enum Specimen {
    package static let position = bytes("d300133ed00003ba71ca31f2b6de30eb470a472a66d37fa0e9")
    package static let biases = bytes("d300084ce0008a00000000a8f72a")
    package static let beiDou = bytes(
        "d3004146700059752f2400078000001204000000200000007494f510009db7056806f0967e2dc3669dd7b3fc34"
            + "3f16d0ff774d0ff709398e3da20681785e048a8380653fb7749f")

    /// Messages written with pyrtcm's definitions.
    package static let positionWithHeight = bytes(
        "d300153ee7d303897d3c2c92022b6d97280b2df529d03a9841478b")
    package static let equipment = bytes(
        "d3003c4097d31454524d35373937312e303020202020204e4f4e45000a31343431313132353031"
            + "0c5345505420504f4c4152583505352e342e300433303133461d26")

    package static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            Hexadecimal.value(digits[$0], digits[$0 + 1])
        }
    }

    /// Returns an RTCM 3 frame with a correct CRC.
    package static func rtcm(_ payload: [UInt8]) -> [UInt8] {
        let frame = [0xD3, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
        let crc = FrameChecksum.rtcm3(frame.span)
        return frame + [16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) }
    }

    /// Returns an RTCM 3 frame whose payload has these numbers and widths in bits.
    package static func rtcm(_ fields: [(value: Int, width: Int)]) -> [UInt8] {
        let bits = fields.flatMap { field in
            (0..<field.width).map { field.value >> (field.width - 1 - $0) & 1 }
        }
        return rtcm(
            stride(from: 0, to: bits.count, by: 8).map { start in
                (start..<start + 8).reduce(0) { $0 << 1 | UInt8($1 < bits.count ? bits[$1] : 0) }
            })
    }
}
