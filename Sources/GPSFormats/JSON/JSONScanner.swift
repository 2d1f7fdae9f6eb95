// SPDX-License-Identifier: MIT

/// A scalar of JSON.
enum JSONScalar: Hashable {
    case string(String)
    case number(Double)
    case bool(Bool)
    case null

    var number: Double? { if case .number(let value) = self { value } else { nil } }
    var string: String? { if case .string(let value) = self { value } else { nil } }
    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    var integer: Int? { number.flatMap { Int(exactly: $0) } }
}

/// What a `JSONScanner` finds, in the order of the text.
enum JSONEvent {
    case scalar(JSONScalar)
    case begin
    case end
}

/// A streaming scanner of JSON texts, one after the other; a record separator between them is white
/// space.
///
/// Memory is bounded: values nest up to 64 deep, a string keeps its first 64 KiB.
struct JSONScanner {
    /// A key of each object and `nil` for each array around the value, and its own key.
    typealias Path = [String?]

    private enum State {
        case value
        case afterValue
        case key
        case colon
        case string
        case escape
        case unicode(Int, UInt16)
        case literal
    }

    private static let deepest = 64
    private static let longestString = 65_536
    private static let longestLiteral = 64

    private let file: String
    private var state = State.value
    private var line = 1
    private var path = Path()
    /// Whether each value around the present one is an object.
    private var isObject: [Bool] = []
    private var isKey = false
    /// Whether a value or key must follow, behind a comma.
    private var followsComma = false
    private var text: [UInt8] = []
    private var highSurrogate: UInt16?

    init(file: String) {
        self.file = file
    }

    /// Scans the next bytes; an error of `receive` gets the line.
    mutating func push(
        _ bytes: ArraySlice<UInt8>, _ receive: (JSONEvent, Path) throws(JSONReason) -> Void
    ) throws(InputError) {
        do throws(JSONReason) {
            for byte in bytes {
                try scan(byte, receive)
                if byte == 0x0A { line += 1 }
            }
        } catch {
            throw InputError(file, line: line, error.text)
        }
    }

    /// Scans the end; throws where a value is cut off.
    mutating func finish(
        _ receive: (JSONEvent, Path) throws(JSONReason) -> Void
    ) throws(InputError) {
        try push([0x20], receive)
        if case .value = state, isObject.isEmpty { return }
        throw InputError(file, line: line, "the JSON is cut off")
    }

    // MARK: Bytes

    private mutating func scan(
        _ byte: UInt8, _ receive: (JSONEvent, Path) throws(JSONReason) -> Void
    ) throws(JSONReason) {
        switch state {
        case .string: try scanString(byte, receive)
        case .escape: try scanEscape(byte)
        case .unicode(let count, let value): try scanUnicode(byte, count, value)
        case .literal:
            if Self.isLiteral(byte) {
                guard text.count < Self.longestLiteral else { throw unexpected(byte) }
                text.append(byte)
            } else {
                try endLiteral(receive)
                try scan(byte, receive)
            }
        case .value, .afterValue, .key, .colon:
            guard ![0x20, 0x09, 0x0A, 0x0D, 0x1E].contains(byte) else { return }
            try scanMark(byte, receive)
        }
    }

    private mutating func scanMark(
        _ byte: UInt8, _ receive: (JSONEvent, Path) throws(JSONReason) -> Void
    ) throws(JSONReason) {
        switch (state, byte) {
        case (.colon, UInt8(ascii: ":")): state = .value
        case (.key, UInt8(ascii: "\"")):
            isKey = true
            state = .string
        case (.key, UInt8(ascii: "}")) where !followsComma: try end(isObject: true, receive)
        case (.value, UInt8(ascii: "]")) where isObject.last == false && !followsComma:
            try end(isObject: false, receive)
        case (.afterValue, UInt8(ascii: ",")):
            followsComma = true
            state = isObject.last == true ? .key : .value
        case (.afterValue, UInt8(ascii: "}")): try end(isObject: true, receive)
        case (.afterValue, UInt8(ascii: "]")): try end(isObject: false, receive)
        case (.value, UInt8(ascii: "{")): try begin(isObject: true, receive)
        case (.value, UInt8(ascii: "[")): try begin(isObject: false, receive)
        case (.value, UInt8(ascii: "\"")):
            isKey = false
            state = .string
        case (.value, _) where Self.isLiteral(byte):
            text.append(byte)
            state = .literal
        default: throw unexpected(byte)
        }
    }

    private func unexpected(_ byte: UInt8) -> JSONReason {
        let shown = 0x21...0x7E ~= byte ? "'\(Character(Unicode.Scalar(byte)))'" : "a byte"
        return JSONReason("the JSON is not valid: \(shown) is not expected here")
    }

    // MARK: Values

    private mutating func begin(
        isObject: Bool, _ receive: (JSONEvent, Path) throws(JSONReason) -> Void
    ) throws(JSONReason) {
        guard self.isObject.count < Self.deepest else {
            throw JSONReason("its values nest too deeply")
        }
        try receive(.begin, path)
        self.isObject.append(isObject)
        if !isObject { path.append(nil) }
        followsComma = false
        state = isObject ? .key : .value
    }

    private mutating func end(
        isObject: Bool, _ receive: (JSONEvent, Path) throws(JSONReason) -> Void
    ) throws(JSONReason) {
        guard self.isObject.last == isObject else {
            throw unexpected(UInt8(ascii: isObject ? "}" : "]"))
        }
        self.isObject.removeLast()
        if !isObject { path.removeLast() }
        try receive(.end, path)
        endValue()
    }

    /// The value's key is no longer part of the path.
    private mutating func endValue() {
        followsComma = false
        text.removeAll(keepingCapacity: true)
        guard let isObject = isObject.last else { return state = .value }
        if isObject { path.removeLast() }
        state = .afterValue
    }

    private static func isLiteral(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private mutating func endLiteral(
        _ receive: (JSONEvent, Path) throws(JSONReason) -> Void
    ) throws(JSONReason) {
        let word = String(decoding: text, as: UTF8.self)
        let scalar: JSONScalar
        switch word {
        case "true": scalar = .bool(true)
        case "false": scalar = .bool(false)
        case "null": scalar = .null
        default:
            let isNumber = word.first == "-" || word.first?.isNumber == true
            guard isNumber, let number = Double(word), number.isFinite else {
                throw JSONReason("the JSON is not valid: '\(word)' is no value")
            }
            scalar = .number(number)
        }
        try receive(.scalar(scalar), path)
        endValue()
    }

    // MARK: Strings

    private mutating func scanString(
        _ byte: UInt8, _ receive: (JSONEvent, Path) throws(JSONReason) -> Void
    ) throws(JSONReason) {
        switch byte {
        case UInt8(ascii: "\\"): state = .escape
        case UInt8(ascii: "\""):
            flushSurrogate()
            let string = String(decoding: text, as: UTF8.self)
            text.removeAll(keepingCapacity: true)
            if isKey {
                path.append(string)
                state = .colon
            } else {
                try receive(.scalar(.string(string)), path)
                endValue()
            }
        case 0..<0x20: throw JSONReason("a string of the JSON has a control character")
        default: append([byte])
        }
    }

    private mutating func scanEscape(_ byte: UInt8) throws(JSONReason) {
        state = .string
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): append([byte])
        case UInt8(ascii: "b"): append([0x08])
        case UInt8(ascii: "f"): append([0x0C])
        case UInt8(ascii: "n"): append([0x0A])
        case UInt8(ascii: "r"): append([0x0D])
        case UInt8(ascii: "t"): append([0x09])
        case UInt8(ascii: "u"): state = .unicode(0, 0)
        default: throw unexpected(byte)
        }
    }

    private mutating func scanUnicode(
        _ byte: UInt8, _ count: Int, _ value: UInt16
    ) throws(JSONReason) {
        guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
            throw unexpected(byte)
        }
        let value = value << 4 | UInt16(digit)
        guard count == 3 else { return state = .unicode(count + 1, value) }
        state = .string
        if let high = highSurrogate, UTF16.isTrailSurrogate(value) {
            highSurrogate = nil
            let pair = 0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(value & 0x3FF))
            append(Unicode.Scalar(pair).map { Array(String($0).utf8) } ?? [])
            return
        }
        flushSurrogate()
        if UTF16.isLeadSurrogate(value) {
            highSurrogate = value
        } else {
            append(Array(String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8))
        }
    }

    private mutating func append(_ bytes: [UInt8]) {
        flushSurrogate()
        if text.count < Self.longestString { text += bytes }
    }

    /// Half a pair alone is no character.
    private mutating func flushSurrogate() {
        guard highSurrogate != nil else { return }
        highSurrogate = nil
        text += "\u{FFFD}".utf8
    }
}

/// Why JSON cannot be read.
struct JSONReason: Error {
    let text: String

    init(_ text: String) { self.text = text }
}
