// SPDX-License-Identifier: MIT
import GNSS

/// A request parsed from a client's bytes, or an error in them.
package enum ClientRequest: Equatable, Sendable {
    /// A request such as `?WATCH={…}`, with the bytes of its argument, or `?WATCH;`, without one.
    case request(word: String, argument: [UInt8]?)
    /// Text that begins with `?` but is not a known request. It is truncated to 80 bytes.
    case unrecognized(String)
    /// A request that exceeds the size limit or was not completed in time.
    case tooLong
}

/// Splits a client's byte stream into requests. Chunks may be split anywhere.
///
/// A request with an argument ends at the closing brace of the argument. A request without an
/// argument ends at `;` or at the end of the line. Spaces, line ends and semicolons between
/// requests are ignored. Text that does not begin with `?`, and text after an unrecognized request,
/// is ignored up to the next known request or the end of the line. So a client that never ends its
/// lines is answered, too. A NUL ends a line, because some C programs also send the NUL at the end
/// of their string.
package struct RequestReader: Sendable {
    /// The maximum length of a request in bytes.
    package static let maximumLength = 4096
    /// The maximum length of an unrecognized request in the error message to the client, in bytes.
    private static let maximumEchoLength = 80

    private enum State {
        case between
        case ignoringLine
        /// Inside `?` and the word after it.
        case word
        /// After `?WORD=`, before the argument.
        case beforeArgument
        case argument(depth: Int, isInString: Bool, isEscaped: Bool)
        /// Inside unrecognized text, up to `;` or the end of the line.
        case unrecognized
    }

    /// Whether the client has sent text that is not a request. A browser sends such text: HTTP
    /// headers precede any text that a web page lets it send.
    private var hasForeignText = false

    private var state = State.between
    /// Whether the `?` of the word being parsed was found in ignored text. Unless the word is a
    /// known request, it is then ignored as part of that text.
    private var isWithinText = false
    private var text: [UInt8] = []
    private var argumentStart = 0

    /// Creates a reader at the start of a connection.
    package init() {}

    /// Whether the bytes parsed so far end within a request.
    package var isUnfinished: Bool {
        switch state {
        case .between, .ignoringLine: false
        case .word: !isWithinText
        case .beforeArgument, .argument, .unrecognized: true
        }
    }

    /// Parses the next bytes and calls `body` with each complete request, and with whether text
    /// that is not a request came before its end. Text after it may be in the same chunk.
    package mutating func push(
        _ bytes: [UInt8], _ body: (_ request: ClientRequest, _ followsForeignText: Bool) -> Void
    ) {
        for byte in bytes {
            if let request = push(byte) { body(request, hasForeignText) }
        }
    }

    /// Discards an incomplete request and returns `.tooLong`; `nil` if there is no such request.
    /// The rest of its line is ignored.
    package mutating func expire() -> ClientRequest? {
        guard isUnfinished else { return nil }
        return reset(.ignoringLine, .tooLong)
    }

    private mutating func push(_ byte: UInt8) -> ClientRequest? {
        switch state {
        case .between:
            if byte == UInt8(ascii: "?") {
                (state, isWithinText, text) = (.word, false, [byte])
            } else if !byte.isBlank, byte != UInt8(ascii: ";") {
                (state, hasForeignText) = (.ignoringLine, true)
            }
            return nil
        case .ignoringLine:
            if byte.isLineEnd { state = .between }
            if byte == UInt8(ascii: "?") { (state, isWithinText, text) = (.word, true, [byte]) }
            return nil
        default: break
        }
        guard text.count < Self.maximumLength else {
            return reset(byte.isLineEnd ? .between : .ignoringLine, .tooLong)
        }
        switch state {
        case .word: return pushWord(byte)
        case .beforeArgument: return pushBeforeArgument(byte)
        case .argument(let depth, let isInString, let isEscaped):
            return pushArgument(byte, depth, isInString, isEscaped)
        default: return pushUnrecognized(byte)
        }
    }

    private mutating func pushWord(_ byte: UInt8) -> ClientRequest? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"):
            text.append(byte)
            return nil
        case UInt8(ascii: "=") where word != nil:
            state = .beforeArgument
            text.append(byte)
            return nil
        case _ where byte.isLineEnd || byte == UInt8(ascii: ";"):
            if let word { return reset(.between, .request(word: word, argument: nil)) }
        default: break
        }
        guard isWithinText else {
            state = .unrecognized
            return pushUnrecognized(byte)
        }
        state = .ignoringLine
        text.removeAll(keepingCapacity: true)
        return push(byte)
    }

    private mutating func pushBeforeArgument(_ byte: UInt8) -> ClientRequest? {
        switch byte {
        case 0x20, 0x09:
            text.append(byte)
        case UInt8(ascii: "{"):
            argumentStart = text.count
            text.append(byte)
            state = .argument(depth: 1, isInString: false, isEscaped: false)
        default:
            state = .unrecognized
            return pushUnrecognized(byte)
        }
        return nil
    }

    private mutating func pushArgument(
        _ byte: UInt8, _ depth: Int, _ isInString: Bool, _ isEscaped: Bool
    ) -> ClientRequest? {
        text.append(byte)
        var (depth, isInString, isEscaped) = (depth, isInString, isEscaped)
        switch byte {
        case _ where isEscaped: isEscaped = false
        case UInt8(ascii: "\\") where isInString: isEscaped = true
        case UInt8(ascii: "\""): isInString.toggle()
        case UInt8(ascii: "{") where !isInString: depth += 1
        case UInt8(ascii: "}") where !isInString: depth -= 1
        default: break
        }
        guard depth == 0 else {
            state = .argument(depth: depth, isInString: isInString, isEscaped: isEscaped)
            return nil
        }
        let argument = Array(text[argumentStart...])
        return reset(.between, .request(word: word ?? "", argument: argument))
    }

    private mutating func pushUnrecognized(_ byte: UInt8) -> ClientRequest? {
        guard byte.isLineEnd || byte == UInt8(ascii: ";") else {
            text.append(byte)
            return nil
        }
        if byte == UInt8(ascii: ";") { text.append(byte) }
        let echo = String(decoding: text.prefix(Self.maximumEchoLength), as: UTF8.self)
        return reset(byte.isLineEnd ? .between : .ignoringLine, .unrecognized(echo))
    }

    private mutating func reset(_ state: State, _ request: ClientRequest) -> ClientRequest {
        self.state = state
        text.removeAll(keepingCapacity: true)
        return request
    }

    /// The word after `?` if it is a known request; otherwise `nil`.
    private var word: String? {
        let end = text.firstIndex(of: UInt8(ascii: "=")) ?? text.count
        let word = String(decoding: text[1..<end], as: UTF8.self)
        return Self.words.contains(word) ? word : nil
    }

    private static let words: Set<String> = [
        "VERSION", "DEVICES", "DEVICE", "WATCH", "POLL", "CONFIGURE",
    ]
}

extension UInt8 {
    fileprivate var isLineEnd: Bool { self == 0x0A || self == 0x0D || self == 0 }
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || isLineEnd }
}

extension JSONScalar {
    /// The Boolean value. `true`, the string `"true"`, and numbers other than 0 are true. All other
    /// values are false. In gpsd, the string is an error.
    var flag: Bool {
        switch self {
        case .bool(let value): value
        case .number(let value): value != 0
        case .string(let text): text == "true"
        default: false
        }
    }

    /// The value as an integer, as gpsd reads it. Fractions are truncated. The result is 0 for
    /// other values, and for numbers with a magnitude of a billion or more.
    var wholeNumber: Int {
        guard let number, number.magnitude < 1e9 else { return 0 }
        return Int(number)
    }

    /// The path of a device; `nil` for an empty text, which some programs send for all devices, and
    /// for a value without text.
    var devicePath: String? { text.flatMap { $0.isEmpty ? nil : $0 } }

    /// The text of a quoted string or an unquoted word; `nil` for other values.
    var text: String? {
        switch self {
        case .string(let text), .word(let text): text
        default: nil
        }
    }
}
