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
    static let payloadLimit = 65_536

    private var bytes: [UInt8] = []

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
        bytes.removeFirst(end)
        switch opcode {
        case 0x0, 0x1, 0x2, 0xA: return .ignore
        case 0x8: return .close(1000)
        case 0x9: return .pong(payload)
        default: return .close(1002)
        }
    }
}
