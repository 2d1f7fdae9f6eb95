// SPDX-License-Identifier: MIT
import UBX

/// Splits the output of a receiver into sentences and UBX frames.
enum MessageBoundaries {
    /// The first byte of a UBX frame. It does not occur in sentences.
    static let ubxStart: UInt8 = 0xB5

    /// Returns the sentences and UBX frames in `bytes`. The last one may be incomplete.
    static func messages(of bytes: [UInt8]) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var start = 0
        while let end = end(of: bytes, from: start) {
            messages.append(Array(bytes[start..<end]))
            start = end
        }
        if start < bytes.count { messages.append(Array(bytes[start...])) }
        return messages
    }

    /// Returns the index after the sentence or UBX frame that begins at `start`; `nil` if it is
    /// incomplete.
    static func end(of bytes: [UInt8], from start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        switch UBXFrame.recognise(bytes.span, at: start) {
        case .frame(let count): return start + count
        case .incomplete: return nil
        case .none: return bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 }
        }
    }
}
