// SPDX-License-Identifier: MIT
import GNSS

/// The beginning of a caster's reply.
struct NTRIPReply {
    /// The meaning of a reply.
    enum Meaning: Equatable {
        /// A stream of corrections follows.
        case stream(isChunked: Bool)
        /// A source table follows. It is also the reply to an unknown mount point.
        case table(isChunked: Bool)
        /// Another attempt would have the same result.
        case refused(CorrectionRefusal)
        /// The caster refuses requests for some time, for example because there were too many.
        case refusedForNow(CorrectionRefusal)
        /// The caster does not understand the version of the request.
        case otherVersion
        /// The caster cannot serve the stream now.
        case unavailable(String)
    }

    /// The maximum length of a head. A caster's has a few hundred bytes.
    private static let maximumLength = 16_384

    let meaning: Meaning
    /// The number of bytes before the content.
    let length: Int

    /// Parses the bytes received so far. Returns `nil` if more are needed.
    init?(_ bytes: [UInt8]) {
        guard let lineEnd = bytes.firstIndex(of: 0x0A) else {
            // A stream without a reply, or a web server.
            guard bytes.count > Self.maximumLength || bytes.first == UInt8(ascii: "<") else {
                return nil
            }
            self.init(.refused(.notACaster), 0)
            return
        }
        let first = Self.text(bytes[..<lineEnd])
        // Casters of version 1 send data right after the first line, or headers, which contain no
        // messages and are skipped with other bytes.
        if first.hasPrefix("ICY 200") {
            self.init(.stream(isChunked: false), lineEnd + 1)
        } else if first.hasPrefix("SOURCETABLE 200") {
            self.init(.table(isChunked: false), lineEnd + 1)
        } else if first.hasPrefix("ERROR") {
            let isPassword = first.lowercased().contains("password")
            self.init(.refused(isPassword ? .unauthorized : .other(first)), lineEnd + 1)
        } else if first.hasPrefix("HTTP/1.") {
            self.init(http: bytes, first: first, headers: lineEnd + 1)
        } else {
            self.init(.refused(.notACaster), 0)
        }
    }

    private init(_ meaning: Meaning, _ length: Int) {
        (self.meaning, self.length) = (meaning, length)
    }

    private init?(http bytes: [UInt8], first: String, headers start: Int) {
        // The reason is not compared: some casters write the first header behind it.
        guard let status = Int(first.dropFirst(9).prefix(3)) else {
            self.init(.refused(.notACaster), 0)
            return
        }
        guard 200...299 ~= status else {
            self.init(Self.meaning(ofStatus: status), start)
            return
        }
        var headers: [String: String] = [:]
        var lineStart = start
        while let end = bytes[lineStart...].firstIndex(of: 0x0A) {
            let line = Self.text(bytes[lineStart..<end])
            lineStart = end + 1
            guard !line.isEmpty else {
                self.init(Self.meaning(of: headers), lineStart)
                return
            }
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] =
                line[line.index(after: colon)...].lowercased().filter { $0 != " " }
        }
        guard bytes.count > Self.maximumLength else { return nil }
        self.init(.refused(.notACaster), 0)
    }

    private static func meaning(ofStatus status: Int) -> Meaning {
        switch status {
        case 401: .refused(.unauthorized)
        case 404: .refused(.unknownMount(suggestion: nil))
        case 400, 501, 505: .otherVersion
        case 408, 500...: .unavailable("status \(status)")
        case 409, 429: .refusedForNow(.other("status \(status)"))
        default: .refused(.other("status \(status)"))
        }
    }

    private static func meaning(of headers: [String: String]) -> Meaning {
        let isChunked = headers["transfer-encoding"]?.contains("chunked") == true
        let type = headers["content-type"] ?? ""
        if type.hasPrefix("text/html") { return .refused(.notACaster) }
        // One network sends its table as plain text.
        return type.hasPrefix("gnss/sourcetable") || type.hasPrefix("text/plain")
            ? .table(isChunked: isChunked) : .stream(isChunked: isChunked)
    }

    private static func text(_ line: ArraySlice<UInt8>) -> String {
        let line = line.last == 0x0D ? line.dropLast() : line
        return TerminalText.safe(String(decoding: line.prefix(200), as: UTF8.self))
    }
}

/// Decodes the chunks of HTTP/1.1. A chunk is not a correction message.
struct ChunkDecoder {
    private enum State {
        /// The digits of a chunk's length, then an extension.
        case length(Int, digits: Int, isInExtension: Bool)
        case data(left: Int)
        /// The line end after the data.
        case lineEnd
        case ended
    }

    private var state = State.length(0, digits: 0, isInExtension: false)
    /// Whether the last chunk has been received, or the bytes are not chunks.
    private(set) var isEnded = false

    /// Returns the content of the next bytes.
    mutating func content(of bytes: [UInt8]) -> [UInt8] {
        var content: [UInt8] = []
        var next = 0
        while next < bytes.count {
            let byte = bytes[next]
            switch state {
            case .length(let length, let digits, let isInExtension):
                next += 1
                state = Self.after(byte, length, digits, isInExtension)
            case .data(let left):
                let end = min(bytes.count, next + left)
                content += bytes[next..<end]
                state = end - next == left ? .lineEnd : .data(left: left - (end - next))
                next = end
            case .lineEnd:
                next += 1
                guard byte != 0x0D else { continue }
                state = byte == 0x0A ? .length(0, digits: 0, isInExtension: false) : .ended
            case .ended:
                isEnded = true
                return content
            }
        }
        if case .ended = state { isEnded = true }
        return content
    }

    private static func after(
        _ byte: UInt8, _ length: Int, _ digits: Int, _ isInExtension: Bool
    ) -> State {
        switch byte {
        case 0x0A: return length > 0 ? .data(left: length) : .ended
        case _ where isInExtension: return .length(length, digits: digits, isInExtension: true)
        case 0x0D, 0x20, 0x09, UInt8(ascii: ";"):
            return .length(length, digits: digits, isInExtension: digits > 0)
        default:
            guard let digit = Hexadecimal.value(byte), digits < 8 else { return .ended }
            return .length(length << 4 | Int(digit), digits: digits + 1, isInExtension: false)
        }
    }
}
