// SPDX-License-Identifier: MIT

/// A whole frame with a valid checksum: a view of the bytes, not a copy.
///
///     B5 62, class, id, length (2 bytes, little-endian), payload, CK_A, CK_B
public struct UBXFrame: BitwiseCopyable, ~Escapable {
    /// The class and id of the message.
    public let id: UBXMessageID

    /// The bytes between length and checksum.
    public let payload: Span<UInt8>

    /// The longest payload that is accepted. Noise may announce 64 KB, and no known message has more
    /// than 4,400 bytes.
    public static let maximumPayload = 8192

    /// The number of bytes of a frame that are not payload.
    static let overhead = 8

    /// The result of looking for a frame at an index.
    package enum Recognition {
        /// A whole frame of `count` bytes with a valid checksum.
        case frame(count: Int)
        /// Possibly a frame whose end has not been received.
        case incomplete
        /// Not a frame.
        case none
    }

    /// Reads the frame at the start of `bytes`; `nil` if there is none, or only a part of one.
    @_lifetime(copy bytes)
    public init?(_ bytes: Span<UInt8>) {
        guard case .frame(let count) = Self.recognise(bytes, at: 0) else { return nil }
        self.init(recognised: bytes.extracting(0..<count))
    }

    /// Creates a frame of bytes that `recognise` has found to be one.
    @_lifetime(copy bytes)
    package init(recognised bytes: Span<UInt8>) {
        id = UBXMessageID(bytes[2], bytes[3])
        payload = bytes.extracting(6..<bytes.count - 2)
    }

    /// Looks for a frame at `start`.
    package static func recognise(_ bytes: Span<UInt8>, at start: Int) -> Recognition {
        let available = bytes.count - start
        guard available > 0, bytes[start] == 0xB5 else { return .none }
        guard available > 1 else { return .incomplete }
        guard bytes[start + 1] == 0x62 else { return .none }
        guard available >= 6 else { return .incomplete }
        let length = Int(bytes[start + 4]) | Int(bytes[start + 5]) << 8
        guard length <= maximumPayload else { return .none }
        guard available >= length + overhead else { return .incomplete }
        let end = start + 6 + length
        let (a, b) = checksum(bytes.extracting(start + 2..<end))
        return a == bytes[end] && b == bytes[end + 1] ? .frame(count: length + overhead) : .none
    }

    /// The 8-bit Fletcher checksum of the bytes from the class to the end of the payload.
    static func checksum(_ bytes: Span<UInt8>) -> (UInt8, UInt8) {
        var (a, b): (UInt8, UInt8) = (0, 0)
        for index in bytes.indices {
            a &+= bytes[index]
            b &+= a
        }
        return (a, b)
    }

    /// Creates a whole frame. A payload of more than 65,535 bytes is cut off.
    public static func bytes(_ id: UBXMessageID, payload: [UInt8]) -> [UInt8] {
        let payload = payload.prefix(Int(UInt16.max))
        let length = UInt16(payload.count)
        let body =
            [id.messageClass, id.number, UInt8(truncatingIfNeeded: length), UInt8(length >> 8)]
            + payload
        let (a, b) = checksum(body.span)
        return [0xB5, 0x62] + body + [a, b]
    }
}
