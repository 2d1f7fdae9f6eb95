// SPDX-License-Identifier: MIT
import GNSS

/// A command in the form of a proprietary sentence: `$PCAS02,1000*2E`.
struct TextCommand: Hashable, Sendable {
    /// The text before the first comma, without `$`.
    var name: String
    /// The fields after the name, without commas.
    var fields: [String]

    /// Parses the text between `$` and the line end. Returns `nil` if the checksum is missing or
    /// wrong.
    init?(_ line: Substring) {
        let parts = line.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let sum = UInt8(parts[1], radix: 16),
            sum == Self.checksum(parts[0].utf8)
        else { return nil }
        let texts = parts[0].split(separator: ",", omittingEmptySubsequences: false).map(
            String.init)
        name = texts.first ?? ""
        fields = Array(texts.dropFirst())
    }

    /// Returns a field as an integer; `nil` if it is missing or not an integer.
    func number(_ index: Int) -> Int? { fields.indices.contains(index) ? Int(fields[index]) : nil }

    /// Returns a complete sentence: `start`, `body`, `*`, the checksum and the line end. If
    /// `checksum` is `nil`, the NMEA checksum of `body` is used.
    static func sentence(_ body: String, start: Character = "$", checksum: UInt8? = nil) -> [UInt8]
    {
        let sum = checksum ?? Self.checksum(body.utf8)
        let digits = String(hexadecimal: UInt64(sum), width: 2, isUppercase: true)
        return Array("\(start)\(body)*\(digits)\r\n".utf8)
    }

    /// Returns the NMEA checksum: the exclusive or of all bytes.
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt8 { bytes.reduce(0, ^) }
}
