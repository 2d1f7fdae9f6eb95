// SPDX-License-Identifier: MIT

/// Encodes the WebSocket frames that a server sends (RFC 6455).
enum WebSocketFrame {
    private static let text: UInt8 = 0x1
    private static let close: UInt8 = 0x8
    private static let pong: UInt8 = 0xA

    /// Returns a text frame. `payload` is UTF-8.
    static func text(_ payload: some Collection<UInt8>) -> [UInt8] { frame(text, payload) }

    /// Returns the pong frame that answers a ping with the same payload.
    static func pong(_ payload: [UInt8]) -> [UInt8] { frame(pong, payload) }

    /// Returns a close frame with a status code.
    static func close(_ status: UInt16) -> [UInt8] {
        frame(close, [UInt8(status >> 8), UInt8(truncatingIfNeeded: status)])
    }

    private static func frame(_ opcode: UInt8, _ payload: some Collection<UInt8>) -> [UInt8] {
        var frame = [0x80 | opcode]
        switch payload.count {
        case 0..<126: frame.append(UInt8(payload.count))
        case 126..<65_536:
            frame += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default:
            frame.append(127)
            frame += withUnsafeBytes(of: UInt64(payload.count).bigEndian) { Array($0) }
        }
        return frame + payload
    }
}

/// Parses the WebSocket frames that a client sends. Data frames are ignored.
struct WebSocketReader {
    /// The action that the server must take after a frame.
    enum Action: Equatable {
        /// Do nothing.
        case ignore
        /// Send a pong with this payload.
        case pong([UInt8])
        /// Send a close frame with this status code, and disconnect.
        case close(UInt16)
    }

    /// The maximum size of a frame's payload in bytes.
    private static let payloadLimit = 65_536

    private var bytes: [UInt8] = []
    /// The message whose fragments arrive; `nil` between messages.
    private var message: Message?

    private enum Message {
        /// Text. The bytes are the beginning of a character that the next fragment ends.
        case text(rest: [UInt8])
        case binary
    }

    /// Whether a part of a frame has been received.
    var isUnfinished: Bool { !bytes.isEmpty }

    /// Adds received bytes.
    mutating func push(_ new: some Collection<UInt8>) { bytes += new }

    /// Removes the next frame and returns what to do; `nil` if it is not complete yet.
    mutating func next() -> Action? {
        guard bytes.count >= 2 else { return nil }
        let opcode = bytes[0] & 0x0F
        // A client must mask its frames. The reserved bits are 0 without extensions.
        guard bytes[1] & 0x80 != 0, bytes[0] & 0x70 == 0 else { return .close(1002) }
        let short = Int(bytes[1] & 0x7F)
        let lengthSize = short == 126 ? 2 : short == 127 ? 8 : 0
        // A control frame is short, and is not fragmented.
        guard opcode < 8 || short < 126 && bytes[0] & 0x80 != 0 else { return .close(1002) }
        let start = 2 + lengthSize + 4
        guard bytes.count >= 2 + lengthSize else { return nil }
        let length = bytes[2..<2 + lengthSize].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let count = lengthSize == 0 ? UInt64(short) : length
        guard count <= UInt64(Self.payloadLimit) else { return .close(1009) }
        let end = start + Int(count)
        guard bytes.count >= end else { return nil }
        let mask = Array(bytes[start - 4..<start])
        let payload = bytes[start..<end].enumerated().map { $1 ^ mask[$0 % 4] }
        let isFinal = bytes[0] & 0x80 != 0
        bytes.removeFirst(end)
        switch opcode {
        case 0x0, 0x1, 0x2: return didReceive(payload, opcode, isFinal: isFinal)
        case 0xA: return .ignore
        case 0x8: return .close(Self.closeStatus(payload))
        case 0x9: return .pong(payload)
        default: return .close(1002)
        }
    }

    /// Checks a fragment of a message. Text must be valid UTF-8.
    private mutating func didReceive(
        _ payload: [UInt8], _ opcode: UInt8, isFinal: Bool
    ) -> Action {
        // A message begins with its kind, and continues with opcode 0.
        guard (opcode == 0) == (message != nil) else { return .close(1002) }
        let current = message ?? (opcode == 1 ? .text(rest: []) : .binary)
        message = isFinal ? nil : .binary
        guard case .text(var text) = current else { return .ignore }
        text += payload
        let rest = isFinal ? [] : Self.unfinishedCharacter(text)
        guard String(validating: text.dropLast(rest.count), as: UTF8.self) != nil else {
            return .close(1007)
        }
        if !isFinal { message = .text(rest: rest) }
        return .ignore
    }

    /// Returns the bytes at the end of text that begin a character without completing it.
    private static func unfinishedCharacter(_ text: [UInt8]) -> [UInt8] {
        for count in 1...3 where count <= text.count {
            switch text[text.count - count] {
            case 0x80...0xBF: continue
            case 0xC2...0xDF where count < 2, 0xE0...0xEF where count < 3,
                0xF0...0xF4 where count < 4:
                return text.suffix(count)
            default: return []
            }
        }
        return []
    }

    /// Returns the status that answers a close frame: 1000, or that of the error in its payload, a
    /// status code and text.
    private static func closeStatus(_ payload: [UInt8]) -> UInt16 {
        guard payload.count >= 2 else { return payload.isEmpty ? 1000 : 1002 }
        guard 1000...4999 ~= Int(payload[0]) << 8 | Int(payload[1]) else { return 1002 }
        let isText = String(validating: payload.dropFirst(2), as: UTF8.self) != nil
        return isText ? 1000 : 1007
    }
}

/// SHA-1 (RFC 3174), for the WebSocket handshake and UUIDs. It is not used for security.
enum SHA1 {
    /// Returns the 20-byte hash of a message.
    static func hash(_ message: [UInt8]) -> [UInt8] {
        var bytes = message + [0x80]
        bytes += [UInt8](repeating: 0, count: (119 - message.count % 64) % 64)
        bytes += words(of: UInt64(message.count) &* 8)
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        for start in stride(from: 0, to: bytes.count, by: 64) {
            process(bytes[start..<start + 64], &state)
        }
        return state.flatMap { words(of: $0) }
    }

    private static func words(of number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    private static func process(_ block: ArraySlice<UInt8>, _ state: inout [UInt32]) {
        var words: [UInt32] = []
        for start in stride(from: block.startIndex, to: block.endIndex, by: 4) {
            words.append(block[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        for index in 16..<80 {
            let word = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words.append(rotated(word, 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (index, word) in words.enumerated() {
            let (function, constant): (UInt32, UInt32) =
                switch index {
                case 0..<20: (b & c | ~b & d, 0x5A82_7999)
                case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = rotated(a, 5) &+ function &+ e &+ constant &+ word
            (a, b, c, d, e) = (next, a, rotated(b, 30), c, d)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word << count | word >> (32 - count)
    }
}
