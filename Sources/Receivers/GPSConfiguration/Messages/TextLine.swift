// SPDX-License-Identifier: MIT
import GNSS

/// Lines of text: sentences with a checksum, and plain commands. Some manufacturers include the `$`
/// in the checksum of their answers.
package enum TextLine {
    /// Returns a sentence with its checksum and line end.
    package static func sentence(_ body: String) -> [UInt8] {
        let sum = body.utf8.reduce(0, ^)
        return Array("$\(body)*\(hexadecimal(sum))\r\n".utf8)
    }

    /// Returns a line without a checksum, with its line end.
    package static func plain(_ text: String) -> [UInt8] { Array("\(text)\r\n".utf8) }

    /// Recognises a line with a checksum at the start of the bytes, which begin with `$` or `#`.
    static func recognise(_ bytes: ArraySlice<UInt8>) -> FrameRecognition {
        var end = bytes.startIndex + 1
        while end < bytes.endIndex, bytes[end] != UInt8(ascii: "\r"),
            bytes[end] != UInt8(ascii: "\n")
        {
            guard 0x20...0x7E ~= bytes[end], bytes[end] != UInt8(ascii: "$"),
                end - bytes.startIndex < 512
            else { return .none }
            end += 1
        }
        guard end < bytes.endIndex else { return .incomplete }
        let line = bytes[bytes.startIndex..<end]
        guard line.count > 4, line[end - 3] == UInt8(ascii: "*"),
            let sent = Hexadecimal.value(line[end - 2], line[end - 1])
        else { return .none }
        let sum = line.dropFirst().dropLast(3).reduce(0, ^)
        guard sent == sum || sent == sum ^ UInt8(ascii: "$") else { return .none }
        return .message(
            .line(String(decoding: line.dropLast(3), as: UTF8.self)), count: line.count)
    }

    /// Returns a byte as two upper-case hexadecimal digits.
    static func hexadecimal(_ byte: UInt8) -> String {
        String(hexadecimal: UInt64(byte), width: 2, isUppercase: true)
    }
}
