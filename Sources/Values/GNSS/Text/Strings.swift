// SPDX-License-Identifier: MIT
import Glibc

/// Makes untrusted text safe to show on a terminal.
package enum TerminalText {
    /// Returns the text with control characters replaced by escapes such as `\u{1B}`. Names of
    /// files and devices may contain them, and a terminal would interpret them.
    package static func safe(_ text: String) -> String {
        let text = FileName.shown(text)
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { scalar in
            isControl(scalar)
                ? "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}" : String(scalar)
        }.joined()
    }

    /// Returns whether a character is a control character or changes the direction of text.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

/// Converts file names, which are bytes, to strings, which are Unicode, and back.
///
/// A byte that is not part of valid UTF-8 becomes a private-use character (U+10FF80 to U+10FFFF).
/// `native(_:)` converts it back.
package enum FileName {
    private static let first: UInt32 = 0x10_FF00

    package static func string(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = String.UnicodeScalarView()
        var rest = Array(bytes)[...]
        while let byte = rest.first {
            // Decode one character at a time, so that everything valid is kept.
            let length = (1...4).first { length in
                length <= rest.count
                    && String(validating: rest.prefix(length), as: UTF8.self)?.unicodeScalars.count
                        == 1
            }
            if let length, let character = String(validating: rest.prefix(length), as: UTF8.self) {
                text.append(contentsOf: character.unicodeScalars)
            } else if let scalar = Unicode.Scalar(first + UInt32(byte)) {
                text.append(scalar)
            }
            rest = rest.dropFirst(length ?? 1)
        }
        return String(text)
    }

    /// Returns the string for a file name with a terminating zero, as C functions return it.
    package static func string(terminated name: UnsafePointer<CChar>) -> String {
        string(UnsafeRawBufferPointer(start: name, count: strlen(name)))
    }

    /// Returns the bytes of the file name for a string, with a terminating zero for C.
    package static func native(_ text: String) -> [CChar] {
        guard text.unicodeScalars.contains(where: isByte) else { return Array(text.utf8CString) }
        let bytes = text.unicodeScalars.flatMap { scalar -> [UInt8] in
            isByte(scalar)
                ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
        }
        return bytes.map { CChar(bitPattern: $0) } + [0]
    }

    /// Returns the name for display, with � in place of bytes that are not UTF-8.
    package static func shown(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isByte) else { return text }
        return String(
            String.UnicodeScalarView(text.unicodeScalars.map { isByte($0) ? "\u{FFFD}" : $0 }))
    }

    private static func isByte(_ scalar: Unicode.Scalar) -> Bool {
        first + 0x80...first + 0xFF ~= scalar.value
    }
}

/// Formats counts for the user.
package enum Plural {
    /// Returns a count with a noun, such as `1 sentence` or `3 sentences`.
    ///
    /// `plural` follows every count except 1; by default, it is `noun` with an `s`. Both texts can
    /// contain the verb: `Plural.text(count, "fix was", "fixes were")`.
    package static func text(
        _ count: some BinaryInteger, _ noun: String, _ plural: String? = nil
    ) -> String {
        "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }
}

extension String {
    /// The maximum length of a string in gpsd's JSON, in bytes. With more than 511 characters,
    /// libgps 3.22 ignores the rest of the object, and later versions end the session.
    package static let maximumGPSDLength = 500

    /// Returns the first characters that have at most `limit` bytes in UTF-8.
    package func prefix(utf8 limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var (count, end) = (0, startIndex)
        for index in indices {
            count += self[index].utf8.count
            guard count <= limit else { break }
            end = self.index(after: index)
        }
        return String(self[..<end])
    }
}

extension [String] {
    /// Returns the first elements as one string of at most `limit` bytes. Of a first element that
    /// is longer, returns the beginning.
    package func joined(separator: String, utf8 limit: Int) -> String {
        guard var text = first?.prefix(utf8: limit) else { return "" }
        for next in dropFirst() {
            guard text.utf8.count + separator.utf8.count + next.utf8.count <= limit else { break }
            text += separator + next
        }
        return text
    }
}

extension String {
    /// The text without leading and trailing white space.
    package var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }
}

extension String {
    /// Returns the text, padded with leading spaces to `width` characters. Longer text is
    /// unchanged.
    package func leading(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - unicodeScalars.count)) + self
    }

    /// Returns the text, padded with trailing spaces to `width` characters. Longer text is
    /// unchanged.
    package func trailing(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - unicodeScalars.count))
    }
}

extension Int {
    /// Creates the integer nearest to a number, limited to ±1 000 000 000. NaN becomes 0.
    package init(nearest value: Double) {
        self = value.isNaN ? 0 : Int(Swift.min(1e9, Swift.max(-1e9, value.rounded())))
    }
}

extension Int64 {
    /// Creates the number of nanoseconds in a number of seconds, limited to ±9 000 000 000 s. NaN
    /// becomes 0.
    package init(nanosecondsIn seconds: Double) {
        self =
            seconds.isNaN ? 0 : Int64(Swift.min(9e9, Swift.max(-9e9, seconds)) * 1_000_000_000)
    }
}

/// Formats names and their descriptions in two aligned columns.
package enum TwoColumns {
    /// Returns one line for each row, indented by two spaces.
    package static func text(_ rows: [(String, String)]) -> String {
        let width = (rows.map(\.0.count).max() ?? 0) + 2
        return rows.map { "  " + $0.trailing(width) + $1 }.joined(separator: "\n")
    }
}

// The library for regular expressions, which makes a program more than a megabyte larger, is linked
// if a program uses its search for parts of a text. These functions take the place of that search in
// files that import this module.

extension BidirectionalCollection<UInt8> {
    /// Returns where other bytes first occur; `nil` if they do not occur.
    @inlinable
    package func firstRange(of other: some Collection<UInt8>) -> Range<Index>? {
        guard let first = other.first else { return startIndex..<startIndex }
        var rest = self[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: other) { return start..<index(start, offsetBy: other.count) }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// Returns whether other bytes occur one after the other.
    @inlinable
    package func contains(_ other: some Collection<UInt8>) -> Bool {
        firstRange(of: other) != nil
    }
}

extension StringProtocol {
    /// Returns where another text first occurs; `nil` if it does not occur.
    package func firstRange(of other: some StringProtocol) -> Range<Index>? {
        Substring(self).utf8.firstRange(of: Substring(other).utf8)
    }

    /// Returns whether another text occurs.
    package func contains(_ other: some StringProtocol) -> Bool { firstRange(of: other) != nil }

    /// Returns whether another text occurs. This one takes the place of the library's for `String`.
    package func contains(_ other: String) -> Bool { firstRange(of: other) != nil }

    /// Returns the parts between the occurrences of another text, without empty ones.
    package func parts(separatedBy other: some StringProtocol) -> [SubSequence] {
        var parts: [SubSequence] = []
        var rest = self[...]
        while let range = rest.firstRange(of: other), !range.isEmpty {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return (parts + [rest]).filter { !$0.isEmpty }
    }

    /// Returns the text with each occurrence of a part replaced.
    package func replacing(_ part: some StringProtocol, with other: some StringProtocol) -> String {
        guard !part.isEmpty else { return String(self) }
        var text = ""
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            text += rest[..<range.lowerBound]
            text += other
            rest = rest[range.upperBound...]
        }
        return text + rest
    }
}
