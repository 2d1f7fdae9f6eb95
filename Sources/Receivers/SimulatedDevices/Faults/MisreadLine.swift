// SPDX-License-Identifier: MIT

/// Computes the bytes that a UART (8N1) reads if they are sent at a different baud rate.
///
/// The line is sampled bit by bit, beginning at the falling edge of the start bit. Each sample is
/// in the middle of a bit as expected by the reader.
package struct MisreadLine {
    private let bytes: [UInt8]
    /// The duration of a bit at the reader's baud rate, as a multiple of the duration of a sent
    /// bit.
    private let step: Double

    package static func read(_ bytes: [UInt8], sentAt sent: Int, readAt read: Int) -> [UInt8] {
        // If the rates differ by less than 2 %, all bits are still sampled correctly.
        guard abs(sent - read) * 50 > read else { return bytes }
        return MisreadLine(bytes: bytes, step: Double(sent) / Double(read)).result
    }

    private var result: [UInt8] {
        var result: [UInt8] = []
        // All times are in sent bits.
        var time = 0.0
        while let edge = fallingEdge(from: time) {
            guard !isHigh(edge + step / 2) else {
                time = edge + step / 2  // too short for a start bit
                continue
            }
            var byte: UInt8 = 0
            for bit in 0..<8 where isHigh(edge + (Double(bit) + 1.5) * step) { byte |= 1 << bit }
            // A low stop bit is a framing error, but ttys deliver the byte nevertheless.
            result.append(byte)
            time = edge + 9.5 * step
        }
        return result
    }

    /// Returns whether the line is high at a time in sent bits. Each byte consists of a start bit
    /// (low), eight data bits, least significant first, and a stop bit (high). After the last byte,
    /// the line is high.
    private func isHigh(_ time: Double) -> Bool {
        let bit = Int(time)
        guard bit >= 0, bit / 10 < bytes.count else { return true }
        switch bit % 10 {
        case 0: return false
        case 9: return true
        default: return bytes[bit / 10] >> UInt8(bit % 10 - 1) & 1 == 1
        }
    }

    /// Returns the time of the first change from high to low at or after a time, both in sent bits;
    /// `nil` if there is none.
    private func fallingEdge(from time: Double) -> Double? {
        var bit = time.rounded(.up)
        while bit < Double(bytes.count * 10) {
            if isHigh(bit - 1), !isHigh(bit) { return bit }
            bit += 1
        }
        return nil
    }
}
