// SPDX-License-Identifier: MIT

/// The texts of a JSON object that another program of this package has written.
package struct JSONTexts {
    private let bytes: [UInt8]
    private var position = 0
    private var members: [String: String] = [:]

    private struct Malformed: Error {}

    /// The members that are strings, without those of inner objects; of an object that is cut off or malformed those before that.
    package static func members(of object: [UInt8]) -> [String: String] {
        var reader = JSONTexts(bytes: object)
        // Behind a malformed member no other one is recognized.
        try? reader.readObject()
        return reader.members
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func readObject() throws(Malformed) {
        guard next() == UInt8(ascii: "{") else { throw Malformed() }
        repeat {
            guard next() == UInt8(ascii: "\"") else { throw Malformed() }
            let name = try text()
            guard next() == UInt8(ascii: ":") else { throw Malformed() }
            if let value = try value() { members[name] = value }
        } while next() == UInt8(ascii: ",")
    }

    /// The next byte other than a space.
    private mutating func next() -> UInt8? {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
            position += 1
        }
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    /// A string, or `nil` for anything else, which is passed over.
    private mutating func value() throws(Malformed) -> String? {
        var depth = 0
        repeat {
            switch next() {
            case UInt8(ascii: "\""):
                let text = try text()
                if depth == 0 { return text }
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case nil: throw Malformed()
            default: break
            }
        } while depth > 0 || !isAtEndOfValue
        return nil
    }

    /// Whether a comma or the end of the object is next.
    private var isAtEndOfValue: Bool {
        guard position < bytes.count else { return true }
        return bytes[position] == UInt8(ascii: ",") || bytes[position] == UInt8(ascii: "}")
    }

    /// The rest of a string whose first quote was read.
    private mutating func text() throws(Malformed) -> String {
        var units: [UInt16] = []
        while position < bytes.count {
            let begin = position
            while position < bytes.count, bytes[position] != UInt8(ascii: "\""),
                bytes[position] != UInt8(ascii: "\\")
            { position += 1 }
            units += String(decoding: bytes[begin..<position], as: UTF8.self).utf16
            guard position < bytes.count else { break }
            position += 1
            if bytes[position - 1] == UInt8(ascii: "\"") {
                return String(decoding: units, as: UTF16.self)
            }
            units.append(try escape())
        }
        throw Malformed()
    }

    /// The unit that stands behind a backslash; two of them may be one character.
    private mutating func escape() throws(Malformed) -> UInt16 {
        guard position < bytes.count else { throw Malformed() }
        defer { position += 1 }
        switch bytes[position] {
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"):
            let digits = bytes[(position + 1)...].prefix(4)
            let text = String(decoding: digits, as: UTF8.self)
            guard digits.count == 4, text.allSatisfy(\.isHexDigit),
                let unit = UInt16(text, radix: 16)
            else { throw Malformed() }
            position += 4
            return unit
        case let byte where "\"\\/".utf8.contains(byte): return UInt16(byte)
        default: throw Malformed()
        }
    }
}
