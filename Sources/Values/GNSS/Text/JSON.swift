// SPDX-License-Identifier: MIT

/// A streaming scanner for a sequence of JSON texts. Record separators (RFC 7464) are treated as
/// white space.
///
/// Memory is bounded: values can be nested 64 deep, and only the first 64 KiB of a string are kept.
package struct JSONScanner {
    /// An element of a JSON text, reported in order.
    package enum Event {
        case scalar(JSONScalar)
        case begin(isObject: Bool)
        case end
    }

    /// The path of a value: the key in each enclosing object, and `nil` for each enclosing array.
    package typealias Path = [String?]

    private enum State {
        case value
        case afterValue
        case key
        case colon
        case string
        case escape
        case unicode(Int, UInt16)
        case literal
        /// An NMEA sentence between two JSON texts, up to the end of its line.
        case sentence
    }

    private static let maximumDepth = 64
    private static let maximumStringLength = 65_536
    private static let maximumLiteralLength = 64

    /// The line number of the next byte, from 1.
    package private(set) var line = 1
    /// The number of bytes that the last call of `push` scanned: all of them, or those before the
    /// byte that caused an error.
    package private(set) var scannedCount = 0
    private let isTolerant: Bool
    private let readsGPSD: Bool
    private var state = State.value
    private var path = Path()
    /// For each enclosing value, whether it is an object (`true`) or an array.
    private var isObject: [Bool] = []
    private var isKey = false
    /// Whether the last byte was a comma, so that a value or a key must follow.
    private var followsComma = false
    private var text: [UInt8] = []
    private var highSurrogate: UInt16?

    /// Creates a scanner. A tolerant scanner accepts the same deviations from JSON as gpsd:
    /// unquoted words as values, a comma before a closing brace or bracket, and control characters
    /// in strings.
    ///
    /// With `readsGPSD`, which is for gpsd's output and GeoJSON, the scanner accepts only one of
    /// these deviations: the comma. It skips a line between two JSON texts if the line begins with
    /// `$` or `!`. It reads `NaN` and `Infinity`, which some programs write for an unknown number,
    /// as `null`.
    package init(isTolerant: Bool = false, readsGPSD: Bool = false) {
        self.isTolerant = isTolerant
        self.readsGPSD = readsGPSD
    }

    /// Scans the next bytes, and calls `receive` for each element. Rethrows the errors of
    /// `receive`, and throws an error if the bytes are not valid JSON. After an error, `line` is
    /// the line of the error.
    package mutating func push(
        _ bytes: ArraySlice<UInt8>, _ receive: (Event, Path) throws(JSONError) -> Void
    ) throws(JSONError) {
        let bytes = bytes.span
        var position = 0
        defer { scannedCount = position }
        while position < bytes.count {
            switch state {
            case .string: position = appendCharacters(bytes, from: position)
            case .literal: position = appendLiteral(bytes, from: position)
            default: break
            }
            guard position < bytes.count else { return }
            let byte = bytes[position]
            try scan(byte, receive)
            if byte == 0x0A { line += 1 }
            position += 1
        }
    }

    /// Drops the incomplete JSON text after an error. The next byte begins another JSON text. Line
    /// numbers continue.
    package mutating func restart() {
        let line = line
        self = JSONScanner(isTolerant: isTolerant, readsGPSD: readsGPSD)
        self.line = line
    }

    /// Ends the input, and calls `receive` for a value that ends there. Throws an error if a value
    /// is incomplete.
    package mutating func finish(
        _ receive: (Event, Path) throws(JSONError) -> Void
    ) throws(JSONError) {
        try push([0x20], receive)
        if case .value = state, isObject.isEmpty { return }
        if case .sentence = state { return }
        throw JSONError("the JSON is cut off", summary: expected)
    }

    // MARK: Bytes

    /// Appends bytes to `text` up to the end of the string, an escape or a control character.
    /// Returns the index after them.
    private mutating func appendCharacters(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var end = start
        while end < bytes.count {
            let byte = bytes[end]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            end += 1
        }
        if end > start { append(bytes.extracting(start..<end)) }
        return end
    }

    /// Appends bytes to `text` up to the end of the literal or the length limit. Returns the index
    /// after them.
    private mutating func appendLiteral(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var end = start
        while end < bytes.count, isLiteral(bytes[end]), text.count < Self.maximumLiteralLength {
            text.append(bytes[end])
            end += 1
        }
        return end
    }

    private mutating func scan(
        _ byte: UInt8, _ receive: (Event, Path) throws(JSONError) -> Void
    ) throws(JSONError) {
        switch state {
        case .string: try scanString(byte, receive)
        case .escape: try scanEscape(byte)
        case .unicode(let count, let value): try scanUnicode(byte, count, value)
        case .literal:
            // The literal has reached the length limit.
            guard !isLiteral(byte) else { throw unexpected(byte) }
            try endLiteral(receive)
            try scan(byte, receive)
        case .sentence: if byte == 0x0A || byte == 0x0D { state = .value }
        case .value, .afterValue, .key, .colon:
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D, 0x1E: return
            default: try scanMark(byte, receive)
            }
        }
    }

    private mutating func scanMark(
        _ byte: UInt8, _ receive: (Event, Path) throws(JSONError) -> Void
    ) throws(JSONError) {
        let mayEnd = !followsComma || isTolerant || readsGPSD
        switch (state, byte) {
        case (.colon, UInt8(ascii: ":")): state = .value
        case (.key, UInt8(ascii: "\"")):
            isKey = true
            state = .string
        case (.key, UInt8(ascii: "}")) where mayEnd: try end(isObject: true, receive)
        case (.value, UInt8(ascii: "]")) where isObject.last == false && mayEnd:
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
        case (.value, UInt8(ascii: "$")) where readsGPSD && isObject.isEmpty,
            (.value, UInt8(ascii: "!")) where readsGPSD && isObject.isEmpty:
            state = .sentence
        case (.value, _) where isLiteral(byte):
            text.append(byte)
            state = .literal
        default: throw unexpected(byte)
        }
    }

    private func isLiteral(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "E"):
            return true
        default:
            if readsGPSD, byte == UInt8(ascii: "N") || byte == UInt8(ascii: "I") { return true }
            let marks: [Unicode.Scalar] = ["\"", ",", ":", "[", "]", "{", "}"]
            return isTolerant && byte > 0x20 && !marks.contains(Unicode.Scalar(byte))
        }
    }

    // MARK: Errors

    private func unexpected(_ byte: UInt8) -> JSONError {
        let shown = 0x21...0x7E ~= byte ? "'\(Character(Unicode.Scalar(byte)))'" : "a byte"
        return JSONError(
            "the JSON is not valid: \(shown) is not expected here", summary: expected)
    }

    private var expected: String {
        switch state {
        case .value: "value expected"
        case .afterValue:
            isObject.last == true ? "',' or '}' expected" : "',' or ']' expected"
        case .key: "name expected"
        case .colon: "':' expected"
        case .string: "string without end"
        case .escape: "unknown escape"
        case .unicode: "hexadecimal digit expected"
        case .literal: "a value is too long"
        case .sentence: "line end expected"
        }
    }

    // MARK: Values

    private mutating func begin(
        isObject: Bool, _ receive: (Event, Path) throws(JSONError) -> Void
    ) throws(JSONError) {
        guard self.isObject.count < Self.maximumDepth else {
            throw JSONError("the JSON is nested too deeply", summary: "nested too deeply")
        }
        try receive(.begin(isObject: isObject), path)
        self.isObject.append(isObject)
        if !isObject { path.append(nil) }
        followsComma = false
        state = isObject ? .key : .value
    }

    private mutating func end(
        isObject: Bool, _ receive: (Event, Path) throws(JSONError) -> Void
    ) throws(JSONError) {
        guard self.isObject.last == isObject else {
            throw unexpected(UInt8(ascii: isObject ? "}" : "]"))
        }
        self.isObject.removeLast()
        if !isObject { path.removeLast() }
        try receive(.end, path)
        endValue()
    }

    /// Updates the state after the end of a value, and removes its key from the path.
    private mutating func endValue() {
        followsComma = false
        text.removeAll(keepingCapacity: true)
        guard let isObject = isObject.last else { return state = .value }
        if isObject { path.removeLast() }
        state = .afterValue
    }

    private mutating func endLiteral(
        _ receive: (Event, Path) throws(JSONError) -> Void
    ) throws(JSONError) {
        let known = JSONScalar(word: text, isTolerant: isTolerant)
        let unknown =
            known == nil && readsGPSD
            ? JSONScalar(unknownNumber: text) ?? JSONScalar(largeNumber: text) : nil
        guard let scalar = known ?? unknown else {
            let word = String(decoding: text, as: UTF8.self)
            throw JSONError("not a JSON value: '\(word)'")
        }
        try receive(.scalar(scalar), path)
        endValue()
    }

    // MARK: Strings

    private mutating func scanString(
        _ byte: UInt8, _ receive: (Event, Path) throws(JSONError) -> Void
    ) throws(JSONError) {
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
        default:
            guard isTolerant else {
                throw JSONError("a string of the JSON has a control character")
            }
            append([byte].span)
        }
    }

    private mutating func scanEscape(_ byte: UInt8) throws(JSONError) {
        let character: UInt8
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): character = byte
        case UInt8(ascii: "b"): character = 0x08
        case UInt8(ascii: "f"): character = 0x0C
        case UInt8(ascii: "n"): character = 0x0A
        case UInt8(ascii: "r"): character = 0x0D
        case UInt8(ascii: "t"): character = 0x09
        case UInt8(ascii: "u"): return state = .unicode(0, 0)
        default: throw unexpected(byte)
        }
        append([character].span)
        state = .string
    }

    private mutating func scanUnicode(
        _ byte: UInt8, _ count: Int, _ value: UInt16
    ) throws(JSONError) {
        guard let digit = Hexadecimal.value(byte) else { throw unexpected(byte) }
        let value = value << 4 | UInt16(digit)
        guard count == 3 else { return state = .unicode(count + 1, value) }
        state = .string
        if let high = highSurrogate, UTF16.isTrailSurrogate(value) {
            highSurrogate = nil
            append(Array(String(decoding: [high, value], as: UTF16.self).utf8).span)
            return
        }
        flushSurrogate()
        if UTF16.isLeadSurrogate(value) {
            highSurrogate = value
        } else {
            append(Array(String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8).span)
        }
    }

    private mutating func append(_ bytes: Span<UInt8>) {
        flushSurrogate()
        let room = max(0, Self.maximumStringLength - text.count)
        bytes.withUnsafeBufferPointer { text.append(contentsOf: $0.prefix(room)) }
    }

    /// Appends U+FFFD if the last escape is an unpaired high surrogate.
    private mutating func flushSurrogate() {
        guard highSurrogate != nil else { return }
        highSurrogate = nil
        text += "\u{FFFD}".utf8
    }
}

/// An error in JSON input.
package struct JSONError: Error, Equatable, Sendable {
    /// The reason, worded for a message about a file.
    package let reason: String
    /// The reason in a few words, for a reply to a client.
    package let summary: String

    /// Creates an error. `summary` defaults to `reason`.
    package init(_ reason: String, summary: String? = nil) {
        self.reason = reason
        self.summary = summary ?? reason
    }
}

/// A JSON object, built member by member. Its text is compact ASCII on one line. Members whose
/// value is `nil` are omitted.
package struct JSONObject: CustomStringConvertible, Sendable {
    /// The object without its closing brace.
    private var text = TextBuffer()
    private var isEmpty = true

    /// Creates an object without members.
    package init() {
        text.append(character: "{")
    }

    /// Creates an object of gpsd's protocol with the class as its first member.
    package init(class name: String) {
        self.init()
        add("class", name)
    }

    /// The JSON text of the object.
    package var description: String { String(decoding: text.array, as: UTF8.self) + "}" }

    /// The members as JSON text, each with a comma before it.
    package var members: String {
        isEmpty ? "" : "," + String(decoding: text.array.dropFirst(), as: UTF8.self)
    }

    package mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        begin(name)
        text.append(json: value)
    }

    /// Adds a string, or `null` if it is `nil`.
    package mutating func add(_ name: String, optional value: String?) {
        begin(name)
        if let value { text.append(json: value) } else { text.append("null") }
    }

    /// Adds an integer.
    package mutating func add(_ name: String, _ value: Int?) {
        guard let value else { return }
        begin(name)
        text.append(integer: value)
    }

    package mutating func add(_ name: String, _ value: Bool) {
        begin(name)
        text.append(text: value ? "true" : "false")
    }

    /// Adds a number with `decimals` decimals. Infinity, NaN and numbers of more than 18 digits are
    /// omitted.
    package mutating func add(_ name: String, _ value: Double?, decimals: Int) {
        guard let value else { return }
        let number = TextBuffer.text { $0.append(fixed: value, decimals: decimals) }
        guard !number.isEmpty else { return }
        begin(name)
        text.append(text: number)
    }

    /// Adds an array of strings.
    package mutating func add(_ name: String, _ values: [String]) {
        add(name, objects: values.map { String(json: $0) })
    }

    /// Adds an array of objects.
    package mutating func add(_ name: String, _ objects: [JSONObject]) {
        add(name, objects: objects.map(\.description))
    }

    /// Adds a value that is JSON text, unless it is `nil`.
    package mutating func add(_ name: String, json: String?) {
        guard let json else { return }
        begin(name)
        text.append(text: json)
    }

    /// Adds an array whose elements are JSON text.
    package mutating func add(_ name: String, objects: [String]) {
        begin(name)
        text.append(text: "[" + objects.joined(separator: ",") + "]")
    }

    private mutating func begin(_ name: String) {
        if !isEmpty { text.append(character: ",") }
        isEmpty = false
        text.append(json: name)
        text.append(character: ":")
    }
}

/// A JSON value that is neither an object nor an array.
package enum JSONScalar: Hashable, Sendable {
    case string(String)
    case number(Double)
    case bool(Bool)
    case null
    /// Any other unquoted word. Only a tolerant scanner accepts it, as gpsd does.
    case word(String)

    package var number: Double? { if case .number(let value) = self { value } else { nil } }
    package var string: String? { if case .string(let value) = self { value } else { nil } }
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var integer: Int? { number.flatMap { Int(exactly: $0) } }

    /// Creates a value from text without quotes. Returns `nil` if the text is not valid.
    init?(word: [UInt8], isTolerant: Bool) {
        if let number = Self.number(word) {
            self = .number(number)
            return
        }
        switch word {
        case Array("true".utf8): self = .bool(true)
        case Array("false".utf8): self = .bool(false)
        case Array("null".utf8): self = .null
        default:
            guard isTolerant else { return nil }
            self = .word(String(decoding: word, as: UTF8.self))
        }
    }

    /// Creates `null` from a word that programs write for an unknown number: `NaN` or infinity, as
    /// Python, C and JavaScript spell them. Returns `nil` for any other text.
    init?(unknownNumber word: [UInt8]) {
        let name = String(decoding: word, as: UTF8.self).lowercased()
        let unsigned = name.first == "-" ? String(name.dropFirst()) : name
        guard ["nan", "inf", "infinity"].contains(unsigned) else { return nil }
        self = .null
    }

    /// Creates a word from a number that is too large for a `Double`, such as `1e400`. Returns `nil`
    /// for any other text.
    init?(largeNumber word: [UInt8]) {
        guard let first = word.first, first == UInt8(ascii: "-") || Self.isDigit(first) else {
            return nil
        }
        let text = String(decoding: word, as: UTF8.self)
        guard let number = Double(text), number.isInfinite else { return nil }
        self = .word(text)
    }

    /// The text of a value that cannot be used, for a message.
    package var text: String {
        switch self {
        case .string(let text), .word(let text): text
        case .number(let number): "\(number)"
        case .bool(let value): "\(value)"
        case .null: "null"
        }
    }

    /// Returns the number that the text represents; `nil` if it is not a finite number.
    private static func number(_ text: [UInt8]) -> Double? {
        guard let first = text.first, first == UInt8(ascii: "-") || isDigit(first) else {
            return nil
        }
        if let number = shortNumber(text) { return number }
        return Double(String(decoding: text, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Returns a number that has at most 15 digits and no exponent; `nil` for any other text. The
    /// digits and the power of ten are exact as `Double`, so their quotient is the nearest
    /// `Double`.
    private static func shortNumber(_ text: [UInt8]) -> Double? {
        let isNegative = text.first == UInt8(ascii: "-")
        var (value, count) = (0, 0)
        var pointAt: Int?
        for byte in isNegative ? text[1...] : text[...] {
            if isDigit(byte), count < 15 {
                value = 10 * value + Int(byte - UInt8(ascii: "0"))
                count += 1
            } else if byte == UInt8(ascii: "."), pointAt == nil, count > 0 {
                pointAt = count
            } else {
                return nil
            }
        }
        guard count > 0 else { return nil }
        let magnitude = Double(value) / Double(powerOfTen(count - (pointAt ?? count)))
        return isNegative ? -magnitude : magnitude
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}

extension JSONScanner {
    /// Reads one object with a tolerant scanner, and adds its scalars to `members`. Nested objects
    /// and arrays are ignored. If a name occurs twice, the last value is used.
    ///
    /// Throws an error if the bytes are not exactly one object. Members before the error have then
    /// been added.
    package static func read(
        _ object: [UInt8], into members: inout [String: JSONScalar]
    ) throws(JSONError) {
        var scanner = JSONScanner(isTolerant: true)
        var isOver = false
        try scanner.push(object[...]) { event, path throws(JSONError) in
            guard !isOver else { throw JSONError("unexpected text after the object") }
            switch (event, path.count) {
            case (.begin(isObject: false), 0), (.scalar, 0): throw JSONError("object expected")
            case (.end, 0): isOver = true
            case (.begin, 1): if let name = path[0] { members[name] = nil }
            case (.scalar(let value), 1): if let name = path[0] { members[name] = value }
            default: break
            }
        }
        try scanner.finish { _, _ throws(JSONError) in
            throw JSONError("unexpected text after the object")
        }
        guard isOver else { throw JSONError("object expected") }
    }
}
