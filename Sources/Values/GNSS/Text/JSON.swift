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
        guard let scalar = known ?? (readsGPSD ? JSONScalar(unknownNumber: text) : nil) else {
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
