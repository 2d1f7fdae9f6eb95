// SPDX-License-Identifier: MIT

/// Reads one JSON object from bytes: strict about what it would otherwise read past, tolerant as gpsd
/// about the rest.
///
/// Accepted beyond RFC 8259: words without quotes as values, and a comma before a closing bracket.
/// Nesting is limited, so that no request can exhaust the stack.
package struct JSONReader {
    /// Why a text is no object.
    package struct SyntaxError: Error, Equatable, Sendable {
        /// What was expected, for the client.
        package let message: String
    }

    private static let mostLevels = 8

    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The members of the object that `bytes` are. Throws a ``SyntaxError`` for anything else.
    package static func object(_ bytes: [UInt8]) throws(SyntaxError) -> [String: JSONValue] {
        var reader = JSONReader(bytes)
        reader.skipBlanks()
        guard case .object(let members) = try reader.value(level: 0) else {
            throw SyntaxError(message: "object expected")
        }
        reader.skipBlanks()
        guard reader.next == nil else { throw SyntaxError(message: "garbage behind the object") }
        return members
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte.isJSONBlank { position += 1 }
    }

    /// Consumes a byte if it is the next one.
    private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private mutating func value(level: Int) throws(SyntaxError) -> JSONValue {
        guard level < Self.mostLevels else { throw SyntaxError(message: "nested too deeply") }
        switch next {
        case UInt8(ascii: "{"): return .object(try members(level: level))
        case UInt8(ascii: "["): return .array(try elements(level: level))
        case UInt8(ascii: "\""): return .string(try string())
        default: return try word()
        }
    }

    private mutating func members(level: Int) throws(SyntaxError) -> [String: JSONValue] {
        position += 1
        var members: [String: JSONValue] = [:]
        while true {
            skipBlanks()
            if skip("}") { return members }
            guard next == UInt8(ascii: "\"") else { throw SyntaxError(message: "name expected") }
            let name = try string()
            skipBlanks()
            guard skip(":") else { throw SyntaxError(message: "':' expected") }
            skipBlanks()
            members[name] = try value(level: level + 1)
            skipBlanks()
            if skip(",") { continue }
            guard next == UInt8(ascii: "}") else {
                throw SyntaxError(message: "',' or '}' expected")
            }
        }
    }

    private mutating func elements(level: Int) throws(SyntaxError) -> [JSONValue] {
        position += 1
        var elements: [JSONValue] = []
        while true {
            skipBlanks()
            if skip("]") { return elements }
            elements.append(try value(level: level + 1))
            skipBlanks()
            if skip(",") { continue }
            guard next == UInt8(ascii: "]") else {
                throw SyntaxError(message: "',' or ']' expected")
            }
        }
    }

    private mutating func string() throws(SyntaxError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += Array(String(try escaped()).utf8)
            default: text.append(byte)
            }
        }
        throw SyntaxError(message: "string without end")
    }

    private mutating func escaped() throws(SyntaxError) -> Character {
        guard let byte = next else { throw SyntaxError(message: "string without end") }
        position += 1
        switch byte {
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return Character(try escapedScalar())
        case 0x22, 0x2F, 0x5C: return Character(Unicode.Scalar(byte))
        default: throw SyntaxError(message: "unknown escape")
        }
    }

    /// The character of four hexadecimal digits, or of two times four.
    private mutating func escapedScalar() throws(SyntaxError) -> Unicode.Scalar {
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard 0xD800..<0xDC00 ~= unit, skip("\\"), skip("u") else { return "\u{FFFD}" }
        let low = try hexadecimal()
        guard 0xDC00..<0xE000 ~= low else { return "\u{FFFD}" }
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func hexadecimal() throws(SyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw SyntaxError(message: "hexadecimal digit expected")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    /// A number, `true`, `false`, `null`, or any other word.
    private mutating func word() throws(SyntaxError) -> JSONValue {
        let start = position
        while let byte = next, !byte.endsJSONWord { position += 1 }
        guard position > start else { throw SyntaxError(message: "value expected") }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        default:
            let first = bytes[start]
            let isNumeric =
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= first
                || first == UInt8(ascii: "-")
            guard isNumeric, let number = Double(text), number.isFinite else { return .word(text) }
            return .number(number)
        }
    }
}

extension UInt8 {
    /// Blank, tab, or a line end.
    var isJSONBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

    fileprivate var endsJSONWord: Bool {
        isJSONBlank || [0x22, 0x2C, 0x3A, 0x5B, 0x5D, 0x7B, 0x7D].contains(self)
    }
}
