// SPDX-License-Identifier: MIT
import UBX

extension BinaryFrame {
    /// The result of checking for a binary frame at an index.
    enum Recognition {
        case frame(BinaryFrame, count: Int)
        /// Bytes that may be the beginning of a frame. More bytes are needed.
        case incomplete
        case none
    }

    /// Checks whether a complete frame with a valid checksum or CRC begins at `start`. `checksums`
    /// must belong to the same buffer.
    static func recognise(
        _ bytes: Span<UInt8>, at start: Int, _ checksums: inout UBXChecksums
    ) -> Recognition {
        bytes[start] == 0xB5 ? ubx(bytes, start, &checksums) : rtcm3(bytes, start)
    }

    private static func ubx(
        _ bytes: Span<UInt8>, _ start: Int, _ checksums: inout UBXChecksums
    ) -> Recognition {
        switch UBXFrame.recognise(bytes, at: start, &checksums) {
        case .frame(let count): .frame(.ubx, count: count)
        case .incomplete: .incomplete
        case .none: .none
        }
    }

    private static func rtcm3(_ bytes: Span<UInt8>, _ start: Int) -> Recognition {
        let available = bytes.count - start
        guard available > 1 else { return .incomplete }
        guard bytes[start + 1] & 0xFC == 0 else { return .none }
        guard available > 2 else { return .incomplete }
        let length = Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
        guard available >= length + 6 else { return .incomplete }
        let end = start + 3 + length
        let crc = FrameChecksum.rtcm3(bytes.extracting(start..<end))
        let sent = UInt32(bytes[end]) << 16 | UInt32(bytes[end + 1]) << 8 | UInt32(bytes[end + 2])
        return crc == sent ? .frame(.rtcm3, count: length + 6) : .none
    }
}
