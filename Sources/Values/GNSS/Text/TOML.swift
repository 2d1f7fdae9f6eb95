// SPDX-License-Identifier: MIT

/// A TOML file, limited to the subset of TOML that settings need.
///
/// Table names and keys are bare and not dotted, strings are in double quotes on one line, and
/// numbers are decimal.
package struct TOMLDocument: Sendable {
    /// A key with its value.
    package struct Entry: Sendable {
        /// The name of the entry's table; empty for a key before the first table.
        package var table: String
        /// The key, without its table.
        package var key: String
        /// The value of the key.
        package var value: TOMLValue
        package var line = 1
        package var column = 1
        package var keyColumn = 1
    }

    /// The entries in the order of the file.
    package var entries: [Entry] = []

    /// Creates a document without entries.
    package init() {}

    /// Appends an entry. Add all entries without a table before the entries with a table.
    package mutating func add(_ key: String, _ value: TOMLValue, table: String = "") {
        entries.append(Entry(table: table, key: key, value: value))
    }

    /// Reads the text of a file. Throws the first error in it.
    package init(_ text: String) throws(TOMLError) {
        let (document, errors) = Self.reading(text)
        if let error = errors.first { throw error }
        self = document
    }

    /// Reads the text of a file and returns all errors in it. After an error, reading continues on
    /// the next line.
    package static func reading(_ text: String) -> (document: TOMLDocument, errors: [TOMLError]) {
        var reader = TOMLReader(text)
        var document = TOMLDocument()
        var errors: [TOMLError] = []
        var table = ""
        var keys: Set<[String]> = []
        while true {
            do throws(TOMLError) {
                guard reader.skipToContent() else { return (document, errors) }
                guard let entry = try reader.line(&table) else { continue }
                guard keys.insert([entry.table, entry.key]).inserted else {
                    throw TOMLError("'\(entry.key)' is given twice", entry.line, entry.keyColumn)
                }
                document.entries.append(entry)
            } catch {
                errors.append(error)
                reader.skipLine()
            }
        }
    }

    /// The entry with a key before the first table; `nil` if there is none.
    package subscript(key: String) -> Entry? {
        entries.first { $0.table.isEmpty && $0.key == key }
    }

    /// The text of the file.
    package var text: String {
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
}

/// An error in a TOML file, with its line and column.
package struct TOMLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, without the position.
    package let reason: String
    /// The line, from 1.
    package let line: Int
    /// The column, from 1.
    package let column: Int

    package init(_ reason: String, _ line: Int, _ column: Int) {
        (self.reason, self.line, self.column) = (reason, line, column)
    }

    /// The line, the column and the reason: `line 3, column 1: expected a name`.
    package var description: String { "line \(line), column \(column): \(reason)" }
}

/// Reads the characters of a TOML file, and counts lines and columns for error messages.
private struct TOMLReader {
    private var rest: Substring
    private(set) var line = 1
    private var column = 1

    /// Creates a reader. A byte order mark, which editors write, is skipped.
    init(_ text: String) { rest = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...] }

    /// Reads a line with content. For a key, returns its entry; for a table header, sets `table`
    /// and returns `nil`.
    mutating func line(_ table: inout String) throws(TOMLError) -> TOMLDocument.Entry? {
        guard !accept("[") else {
            let name = try key()
            try expect("]")
            try endOfLine()
            table = name
            return nil
        }
        let (line, column) = (line, column)
        let key = try key()
        try expect("=")
        skipBlanks()
        let start = self.column
        var entry = TOMLDocument.Entry(table: table, key: key, value: try value())
        (entry.line, entry.column, entry.keyColumn) = (line, start, column)
        try endOfLine()
        return entry
    }

    /// Skips the rest of a line: a comment, or the text after an error.
    mutating func skipLine() {
        while let character = rest.first, !character.isNewline { _ = next() }
    }

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

    private mutating func accept(_ character: Character) -> Bool {
        skipBlanks()
        guard rest.first == character else { return false }
        _ = next()
        return true
    }

    private mutating func expect(_ character: Character) throws(TOMLError) {
        guard accept(character) else { throw error("expected '\(character)'") }
    }

    private mutating func skipBlanks() {
        while rest.first == " " || rest.first == "\t" { _ = next() }
    }

    private mutating func skipComment() {
        if rest.first == "#" { skipLine() }
    }

    /// Skips empty lines and comments. Returns `false` at the end of the file.
    mutating func skipToContent() -> Bool {
        repeat {
            skipBlanks()
            skipComment()
            guard rest.first?.isNewline == true else { break }
            _ = next()
        } while true
        return !rest.isEmpty
    }

    private mutating func endOfLine() throws(TOMLError) {
        skipBlanks()
        skipComment()
        guard rest.first?.isNewline ?? true else { throw error("expected the end of the line") }
    }

    private mutating func key() throws(TOMLError) -> String {
        skipBlanks()
        let key = rest.prefix { character in
            character.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }
            }
        }
        guard !key.isEmpty else { throw error("expected a name") }
        for _ in key { _ = next() }
        return String(key)
    }

    private mutating func value() throws(TOMLError) -> TOMLValue {
        skipBlanks()
        switch rest.first {
        case "\"": return .string(try string())
        case "[": return .array(try array())
        default: return try bareValue()
        }
    }

    private mutating func array() throws(TOMLError) -> [TOMLValue] {
        _ = next()
        var values: [TOMLValue] = []
        while true {
            _ = skipToContent()
            if accept("]") { return values }
            guard rest.first != "[" else { throw error("a list cannot contain a list") }
            values.append(try value())
            _ = skipToContent()
            guard accept(",") else {
                try expect("]")
                return values
            }
        }
    }

    private mutating func string() throws(TOMLError) -> String {
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

    private mutating func escaped() throws(TOMLError) -> Character {
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

    private mutating func bareValue() throws(TOMLError) -> TOMLValue {
        let start = (line, column)
        let text = rest.prefix { !$0.isWhitespace && !",]#".contains($0) }
        for _ in text { _ = next() }
        switch text {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default: break
        }
        if let integer = Int(text) { return .integer(integer) }
        // Check the characters first, because `Double` also accepts `nan` and `0x1p3`.
        if text.allSatisfy({ "+-.eE0123456789".contains($0) }), let number = Double(text),
            number.isFinite
        {
            return .number(number)
        }
        throw TOMLError(
            text.isEmpty ? "expected a value" : "'\(text)' is not a value", start.0, start.1)
    }

    private func error(_ reason: String) -> TOMLError {
        TOMLError(reason, line, column)
    }
}

/// A value in a TOML file.
package enum TOMLValue: Hashable, Sendable {
    case string(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    case array([TOMLValue])

    package var text: String {
        switch self {
        case .string(let text): Self.quoted(text)
        case .integer(let number): "\(number)"
        case .number(let number):
            number == number.rounded() && number.magnitude < 1e9 ? "\(Int(number))" : "\(number)"
        case .boolean(let isTrue): "\(isTrue)"
        case .array(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                quoted += "\\u\(String(hexadecimal: UInt64(scalar.value), width: 4))"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// The error thrown if a value is not valid for its key.
package struct TOMLMismatch: Error {
    /// The expected and the actual value, as text.
    package let reason: String

    /// Creates an error with its reason.
    package init(_ reason: String) { self.reason = reason }
}

extension TOMLValue {
    /// Returns the number. Throws an error that names `range` and `unit` if the value is not a
    /// number in that range.
    package func number(in range: ClosedRange<Double>, _ unit: String) throws(TOMLMismatch)
        -> Double
    {
        let number: Double? =
            switch self {
            case .integer(let value): Double(value)
            case .number(let value): value
            default: nil
            }
        guard let number, range.contains(number) else {
            let bounds = "\(TOMLValue.number(range.lowerBound).text) to "
            throw TOMLMismatch(
                "expected \(bounds)\(TOMLValue.number(range.upperBound).text) \(unit), not \(text)")
        }
        return number
    }

    /// Returns the string. Throws an error if the value is not a string; `what` describes the
    /// expected string, such as `a name`.
    package func string(_ what: String) throws(TOMLMismatch) -> String {
        guard case .string(let value) = self else {
            throw TOMLMismatch("expected \(what) in quotes, not \(text)")
        }
        return value
    }

    /// Returns the array of strings. Throws an error if the value is not such an array; `what`
    /// describes the expected strings.
    package func strings(_ what: String) throws(TOMLMismatch) -> [String] {
        guard case .array(let values) = self else {
            throw TOMLMismatch("expected \(what) in brackets, not \(text)")
        }
        var strings: [String] = []
        for value in values { strings.append(try value.string(what)) }
        return strings
    }
}
