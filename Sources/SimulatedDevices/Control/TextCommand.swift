// SPDX-License-Identifier: MIT

/// A command in the form of a sentence: `$PCAS02,1000*2E`.
struct TextCommand: Hashable, Sendable {
    /// The text before the first comma, without `$`.
    var name: String
    /// The texts between commas after it.
    var fields: [String]

    /// Reads the text between `$` and the line end; `nil` if a checksum is missing or wrong.
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

    /// A whole field; `nil` if there is none.
    func number(_ index: Int) -> Int? { fields.indices.contains(index) ? Int(fields[index]) : nil }

    /// A sentence with its checksum and line end.
    static func sentence(_ body: String, checksum: UInt8? = nil) -> [UInt8] {
        let sum = checksum ?? Self.checksum(body.utf8)
        let digits = String(sum, radix: 16, uppercase: true)
        return Array("$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n".utf8)
    }

    /// The exclusive or of all bytes.
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt8 { bytes.reduce(0, ^) }
}
