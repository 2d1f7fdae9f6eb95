// SPDX-License-Identifier: MIT

/// Reads the JSON of a message: an object of texts, whole numbers and columns of numbers.
///
/// A collector reads thousands of fixes a second: numbers go into columns digit by digit, without `Double` or `Codable`.
struct MessageReader {
    private let bytes: [UInt8]
    private var position = 0

    /// Begins at the start of a text.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private static let malformed = FixBatch.Malformed("it is no message of gpsbridge's")

    // MARK: Values

    /// Reads the whole text, an object; `member` reads or skips the value of each key.
    mutating func object(
        _ member: (String, inout MessageReader) throws(FixBatch.Malformed) -> Void
    ) throws(FixBatch.Malformed) {
        try expect("{")
        if !skipIf("}") {
            repeat {
                let key = try text()
                try expect(":")
                try member(key, &self)
            } while skipIf(",")
            try expect("}")
        }
        skipSpace()
        guard position == bytes.count else { throw Self.malformed }
    }

    /// Reads a text.
    mutating func text() throws(FixBatch.Malformed) -> String {
        try expect("\"")
        let start = position
        while position < bytes.count, bytes[position] >= 0x20 {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                defer { position += 1 }
                return String(decoding: bytes[start..<position], as: UTF8.self)
            case UInt8(ascii: "\\"): return try escapedText(from: start)
            default: position += 1
            }
        }
        throw Self.malformed
    }

    /// Reads a whole number.
    mutating func integer() throws(FixBatch.Malformed) -> Int64 {
        skipSpace()
        return try number(decimals: 0)
    }

    /// Reads a column: a list of numbers as whole numbers, each times 10 to the power of `decimals`, and
    /// `FixRow.unknown` for null.
    mutating func column(decimals: Int) throws(FixBatch.Malformed) -> [Int64] {
        try expect("[")
        var values: [Int64] = []
        if skipIf("]") { return values }
        repeat {
            skipSpace()
            if position < bytes.count, bytes[position] == UInt8(ascii: "n") {
                try word("null")
                values.append(FixRow.unknown)
            } else {
                values.append(try number(decimals: decimals))
            }
        } while skipIf(",")
        try expect("]")
        return values
    }

    /// Skips a value of whatever kind, of which a later version of the format has more.
    mutating func skip() throws(FixBatch.Malformed) {
        var depth = 0
        repeat {
            skipSpace()
            guard position < bytes.count else { throw Self.malformed }
            switch bytes[position] {
            case UInt8(ascii: "\""): _ = try text()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                position += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard depth > 0 else { throw Self.malformed }
                position += 1
            default:
                let start = position
                while position < bytes.count, Self.isLiteral(bytes[position]) { position += 1 }
                guard position > start else { throw Self.malformed }
            }
        } while depth > 0
        guard depth == 0 else { throw Self.malformed }
    }

    // MARK: Numbers

    private mutating func number(decimals: Int) throws(FixBatch.Malformed) -> Int64 {
        let start = position
        let isNegative = position < bytes.count && bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        var magnitude: Int64 = 0
        var digits = 0
        // Digits behind the point that are still to come; `nil` before the point.
        var missing: Int?
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "."), missing == nil, digits > 0 {
                missing = decimals
            } else if case 0x30...0x39 = byte, digits < 18, missing ?? 1 > 0 {
                magnitude = magnitude * 10 + Int64(byte - 0x30)
                digits += 1
                missing = missing.map { $0 - 1 }
            } else {
                break
            }
            position += 1
        }
        let isWhole = position == bytes.count || !Self.isLiteral(bytes[position])
        guard isWhole, digits > 0, digits + (missing ?? decimals) <= 18 else {
            position = start
            return try roundedNumber(decimals: decimals)
        }
        for _ in 0..<(missing ?? decimals) { magnitude *= 10 }
        return isNegative ? -magnitude : magnitude
    }

    /// A number with an exponent, or with more digits than are kept.
    private mutating func roundedNumber(decimals: Int) throws(FixBatch.Malformed) -> Int64 {
        let start = position
        while position < bytes.count, Self.isLiteral(bytes[position]) { position += 1 }
        let literal = bytes[start..<position]
        let isNumber = literal.first.map { $0 == UInt8(ascii: "-") || 0x30...0x39 ~= $0 } ?? false
        guard isNumber, var value = Double(String(decoding: literal, as: UTF8.self)) else {
            throw Self.malformed
        }
        for _ in 0..<decimals { value *= 10 }
        return value.magnitude < 9e15 ? Int64(value.rounded()) : FixRow.unknown
    }

    // MARK: Texts

    private mutating func escapedText(
        from start: Int
    ) throws(FixBatch.Malformed) -> String {
        var units = Array(String(decoding: bytes[start..<position], as: UTF8.self).utf16)
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") {
                position += 1
                units.append(try escape())
            } else {
                let begin = position
                while position < bytes.count, bytes[position] >= 0x20,
                    bytes[position] != UInt8(ascii: "\""), bytes[position] != UInt8(ascii: "\\")
                { position += 1 }
                guard position > begin else { throw Self.malformed }
                units += String(decoding: bytes[begin..<position], as: UTF8.self).utf16
            }
        }
        try expect("\"")
        return String(decoding: units, as: UTF16.self)
    }

    private mutating func escape() throws(FixBatch.Malformed) -> UInt16 {
        guard position < bytes.count else { throw Self.malformed }
        defer { position += 1 }
        switch bytes[position] {
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"):
            let digits = bytes[(position + 1)...].prefix(4)
            position += 4
            guard digits.count == 4, digits.allSatisfy({ $0 >= 0x30 }),
                let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw Self.malformed }
            return unit
        case let byte where "\"\\/".utf8.contains(byte): return UInt16(byte)
        default: throw Self.malformed
        }
    }

    // MARK: Bytes

    private static func isLiteral(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "E"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
            position += 1
        }
    }

    private mutating func skipIf(_ mark: Unicode.Scalar) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: mark) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ mark: Unicode.Scalar) throws(FixBatch.Malformed) {
        guard skipIf(mark) else { throw Self.malformed }
    }

    private mutating func word(_ word: StaticString) throws(FixBatch.Malformed) {
        let end = position + word.utf8CodeUnitCount
        let isThere = word.withUTF8Buffer {
            end <= bytes.count && bytes[position..<end].elementsEqual($0)
        }
        guard isThere else { throw Self.malformed }
        position = end
    }
}
