// SPDX-License-Identifier: MIT

/// Reads the characters of a TOML file, and counts lines and columns for error messages.
struct TOMLReader {
    private var rest: Substring
    private(set) var line = 1
    private(set) var column = 1

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
