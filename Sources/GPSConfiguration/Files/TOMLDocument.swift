// SPDX-License-Identifier: MIT
import GNSS

/// A file of keys and values: the part of TOML that settings need.
///
/// Tables have one name, keys are bare, strings are in double quotes, and numbers are decimal.
struct TOMLDocument {
    /// A key with its value.
    struct Entry {
        var table: String
        var key: String
        var value: TOMLValue
        /// Where the value is, from 1.
        var line = 1
        var column = 1
    }

    var entries: [Entry] = []

    init() {}

    /// Reads a file.
    ///
    /// - Throws: `ConfigurationError` with `.malformedFile`, the line and the column.
    init(_ text: String) throws(ConfigurationError) {
        var reader = Reader(text)
        var table = ""
        while try reader.skipToContent() {
            if reader.accept("[") {
                table = try reader.key()
                try reader.expect("]")
            } else {
                let (line, column) = (reader.line, reader.column)
                let key = try reader.key()
                guard !entries.contains(where: { $0.table == table && $0.key == key }) else {
                    throw Self.error("'\(key)' is there twice", line, column)
                }
                try reader.expect("=")
                reader.skipBlanks()
                let start = (reader.line, reader.column)
                let value = try reader.value()
                entries.append(
                    Entry(
                        table: table, key: key, value: value, line: start.0, column: start.1))
            }
            try reader.endOfLine()
        }
    }

    /// The value of a key outside tables.
    subscript(key: String) -> Entry? { entries.first { $0.table.isEmpty && $0.key == key } }

    /// The file.
    var text: String {
        var text = ""
        var table = ""
        for entry in entries {
            if entry.table != table {
                table = entry.table
                text += "\n[\(table)]\n"
            }
            text += "\(entry.key) = \(entry.value.text)\n"
        }
        return text
    }

    static func error(_ reason: String, _ line: Int, _ column: Int) -> ConfigurationError {
        ConfigurationError(.malformedFile, "line \(line), column \(column): \(reason)")
    }
}

extension TOMLDocument {
    /// Reads characters, and knows where it is.
    private struct Reader {
        private var rest: Substring
        private(set) var line = 1
        private(set) var column = 1

        init(_ text: String) { rest = text[...] }

        private mutating func next() -> Character? {
            guard let character = rest.popFirst() else { return nil }
            if character.isNewline {
                line += 1
                column = 1
            } else {
                column += 1
            }
            return character
        }

        mutating func accept(_ character: Character) -> Bool {
            skipBlanks()
            guard rest.first == character else { return false }
            _ = next()
            return true
        }

        mutating func expect(_ character: Character) throws(ConfigurationError) {
            guard accept(character) else { throw error("expected '\(character)'") }
        }

        mutating func skipBlanks() {
            while rest.first == " " || rest.first == "\t" { _ = next() }
        }

        private mutating func skipComment() {
            guard rest.first == "#" else { return }
            while let character = rest.first, !character.isNewline { _ = next() }
        }

        /// Skips empty lines and comments; returns whether something follows.
        mutating func skipToContent() throws(ConfigurationError) -> Bool {
            repeat {
                skipBlanks()
                skipComment()
                guard rest.first?.isNewline == true else { break }
                _ = next()
            } while true
            return !rest.isEmpty
        }

        mutating func endOfLine() throws(ConfigurationError) {
            skipBlanks()
            skipComment()
            guard rest.first?.isNewline ?? true else { throw error("expected the end of the line") }
        }

        mutating func key() throws(ConfigurationError) -> String {
            skipBlanks()
            let key = rest.prefix { character in
                character.utf8.allSatisfy {
                    $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }
            }
            guard !key.isEmpty else { throw error("expected a name") }
            for _ in key { _ = next() }
            return String(key)
        }

        mutating func value() throws(ConfigurationError) -> TOMLValue {
            skipBlanks()
            switch rest.first {
            case "\"": return .string(try string())
            case "[": return .array(try array())
            default: return try bareValue()
            }
        }

        private mutating func array() throws(ConfigurationError) -> [TOMLValue] {
            _ = next()
            var values: [TOMLValue] = []
            while true {
                _ = try skipToContent()
                if accept("]") { return values }
                guard rest.first != "[" else { throw error("a list within a list") }
                values.append(try value())
                _ = try skipToContent()
                guard accept(",") else {
                    try expect("]")
                    return values
                }
            }
        }

        private mutating func string() throws(ConfigurationError) -> String {
            _ = next()
            var text = ""
            while let character = rest.first, !character.isNewline {
                _ = next()
                switch character {
                case "\"": return text
                case "\\": text.append(try escaped())
                default: text.append(character)
                }
            }
            throw error("expected '\"'")
        }

        private mutating func escaped() throws(ConfigurationError) -> Character {
            switch next() {
            case "\"": return "\""
            case "\\": return "\\"
            case "n": return "\n"
            case "t": return "\t"
            case "u":
                var number: UInt32 = 0
                for _ in 0..<4 {
                    guard let digit = rest.first?.hexDigitValue else { break }
                    _ = next()
                    number = number << 4 | UInt32(digit)
                }
                guard let scalar = Unicode.Scalar(number) else { break }
                return Character(scalar)
            default: break
            }
            throw error("unknown escape in a string")
        }

        private mutating func bareValue() throws(ConfigurationError) -> TOMLValue {
            let start = (line, column)
            let text = rest.prefix { !$0.isWhitespace && !",]#".contains($0) }
            for _ in text { _ = next() }
            switch text {
            case "true": return .boolean(true)
            case "false": return .boolean(false)
            default: break
            }
            if let integer = Int(text) { return .integer(integer) }
            // A word such as `nan` or `0x1p3` is a number to Swift.
            if text.allSatisfy({ "+-.eE0123456789".contains($0) }), let number = Double(text),
                number.isFinite
            {
                return .number(number)
            }
            throw TOMLDocument.error(
                text.isEmpty ? "expected a value" : "'\(text)' is not a value", start.0, start.1)
        }

        private func error(_ reason: String) -> ConfigurationError {
            TOMLDocument.error(reason, line, column)
        }
    }
}
