// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// A message to send unchanged, from a file that describes messages for receivers of any
/// manufacturer.
///
///     # a comment
///     nmea PSTMSETPAR,1303,0.1      the checksum and the line end are added
///     nmea $PMTK220,200*2C          as in a manual: the checksum must be right
///     text MODE ROVER               a line end is added
///     ubx 06 08 C8 00 01 00 01 00   class, id and payload
///     casic 06 04 C8 00 00 00       class, id and payload
///     hex A0 A1 00 02 0E 0A 04 0D 0A
///     nmea PSTMSAVEPAR -> $PSTMSAVEPAROK    the answer to wait for
public struct DescribedMessage: Hashable, Sendable {
    /// The bytes to send, including checksum and line end.
    public let bytes: [UInt8]
    /// The message as written in the file, without the expected answer.
    public let text: String
    /// The beginning of the expected answer; `nil` for the usual answer to this kind of message.
    public let answer: String?

    /// Creates a message from bytes.
    public init(_ bytes: [UInt8], text: String = "", answer: String? = nil) {
        (self.bytes, self.text, self.answer) = (bytes, text, answer)
    }

    /// Parses a file of messages.
    ///
    /// - Throws: `ConfigurationError` with `.malformedFile` and the line, or with `.forbidden` for
    ///   a message that must never be sent.
    public static func messages(in file: String) throws(ConfigurationError) -> [DescribedMessage] {
        var messages: [DescribedMessage] = []
        let lines = file.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let text = String(line).trimmed
            guard !text.isEmpty, !text.hasPrefix("#") else { continue }
            let message = try message(text, line: index + 1)
            if let reason = ForbiddenMessage.reason(message.bytes) {
                throw ConfigurationError(.forbidden, "line \(index + 1): \(reason)")
            }
            messages.append(message)
        }
        return messages
    }

    private static func message(
        _ text: String, line: Int
    ) throws(ConfigurationError) -> DescribedMessage {
        var content = text
        var answer: String?
        if let arrow = text.firstRange(of: " -> ") {
            content = String(text[..<arrow.lowerBound]).trimmed
            answer = String(text[arrow.upperBound...]).trimmed
        }
        let kind = String(content.prefix { !$0.isWhitespace })
        let rest = String(content.dropFirst(kind.count)).trimmed
        let bytes: [UInt8]? =
            switch kind {
            case "nmea": sentence(rest)
            case "text": rest.isEmpty ? nil : TextLine.plain(rest)
            case "hex": Self.bytes(rest)
            case "ubx", "casic":
                Self.bytes(rest).flatMap { bytes in
                    guard bytes.count >= 2 else { return nil }
                    let id = UBXMessageID(bytes[0], bytes[1])
                    let payload = Array(bytes.dropFirst(2))
                    return kind == "ubx"
                        ? UBXFrame.bytes(id, payload: payload)
                        : CASICFrame.bytes(id, payload: payload)
                }
            default:
                throw ConfigurationError(
                    .malformedFile,
                    "line \(line), column 1: not a kind of message: '\(kind)' (expected nmea, "
                        + "text, ubx, casic or hex)")
            }
        guard let bytes else {
            let checksum = kind == "nmea" ? rightChecksum(rest) : nil
            throw ConfigurationError(
                .malformedFile,
                "line \(line), column \(kind.count + 2): "
                    + (checksum.map { "the checksum is wrong: the right one is \($0)" }
                        ?? "invalid content for '\(kind)'"))
        }
        return DescribedMessage(bytes, text: content, answer: answer)
    }

    /// Returns a sentence with its checksum and line end. The text may begin with `$` and end with
    /// the checksum, as in manuals. Returns `nil` if it is empty, has a wrong checksum, or contains
    /// `$` or `*` elsewhere.
    private static func sentence(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
        let body = String(parts[0].hasPrefix("$") ? parts[0].dropFirst() : parts[0])
        guard !body.isEmpty, !body.contains("$") else { return nil }
        if parts.count > 1 {
            let digits = Array(parts[1].utf8)
            let sum: UInt8 = body.utf8.reduce(0, ^)
            guard digits.count == 2, Hexadecimal.value(digits[0], digits[1]) == sum else {
                return nil
            }
        }
        return TextLine.sentence(body)
    }

    /// Returns the checksum that a sentence should have; `nil` if the sentence has none, or has
    /// another error.
    private static func rightChecksum(_ text: String) -> String? {
        guard let star = text.firstIndex(of: "*"), let sentence = sentence(String(text[..<star]))
        else { return nil }
        return String(decoding: sentence.dropLast(2).suffix(2), as: UTF8.self)
    }

    /// Returns the bytes of a string of hexadecimal digits, which may be separated by spaces; `nil`
    /// if it is empty, has an odd number of digits or contains other characters.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8.filter { $0 != UInt8(ascii: " ") })
        guard !digits.isEmpty, digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = Hexadecimal.value(digits[index], digits[index + 1]) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
