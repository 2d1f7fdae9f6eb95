// SPDX-License-Identifier: MIT

/// A complete frame with a valid checksum. It is a view of the bytes, not a copy.
///
///     B5 62, class, id, length (2 bytes, little-endian), payload, CK_A, CK_B
public struct UBXFrame: BitwiseCopyable, ~Escapable {
    /// The class and id of the message.
    public let id: UBXMessageID

    /// The bytes between the length and the checksum.
    public let payload: Span<UInt8>

    /// The maximum payload of a recognised frame, in bytes. No known message has more than 4,400
    /// bytes; a longer length is probably noise.
    public static let maximumPayload = 8192

    /// The number of bytes in a frame in addition to the payload.
    static let overhead = 8

    /// The result of checking for a frame at an index.
    package enum Recognition {
        /// A complete frame of `count` bytes with a valid checksum.
        case frame(count: Int)
        /// Bytes that may be the beginning of a frame. More bytes are needed.
        case incomplete
        /// No frame begins at the index.
        case none
    }

    /// Reads the frame at the start of `bytes`. Returns `nil` unless the frame is complete and its
    /// checksum is valid.
    @_lifetime(copy bytes)
    public init?(_ bytes: Span<UInt8>) {
        guard case .frame(let count) = Self.recognise(bytes, at: 0) else { return nil }
        self.init(recognised: bytes.extracting(0..<count))
    }

    /// Creates a frame from bytes that `recognise` has identified as a frame.
    @_lifetime(copy bytes)
    package init(recognised bytes: Span<UInt8>) {
        id = UBXMessageID(bytes[2], bytes[3])
        payload = bytes.extracting(6..<bytes.count - 2)
    }

    /// Checks whether a frame begins at `start`.
    package static func recognise(_ bytes: Span<UInt8>, at start: Int) -> Recognition {
        var checksums = UBXChecksums()
        return recognise(bytes, at: start, &checksums)
    }

    /// Checks whether a frame begins at `start`. Pass the same `checksums` in all calls for one
    /// buffer: it keeps sums that make later calls faster.
    package static func recognise(
        _ bytes: Span<UInt8>, at start: Int, _ checksums: inout UBXChecksums
    ) -> Recognition {
        let available = bytes.count - start
        guard available > 0, bytes[start] == 0xB5 else { return .none }
        guard available > 1 else { return .incomplete }
        guard bytes[start + 1] == 0x62 else { return .none }
        guard available >= 6 else { return .incomplete }
        let length = Int(bytes[start + 4]) | Int(bytes[start + 5]) << 8
        guard length <= maximumPayload else { return .none }
        guard available >= length + overhead else { return .incomplete }
        let end = start + 6 + length
        let (a, b) = checksums.checksum(bytes, start + 2..<end)
        guard a == bytes[end], b == bytes[end + 1] else {
            checksums.didReject(at: start)
            return .none
        }
        return .frame(count: length + overhead)
    }

    /// Returns the 8-bit Fletcher checksum of the bytes from the class to the end of the payload.
    static func checksum(_ bytes: Span<UInt8>) -> (UInt8, UInt8) {
        var (a, b): (UInt8, UInt8) = (0, 0)
        for index in bytes.indices {
            a &+= bytes[index]
            b &+= a
        }
        return (a, b)
    }

    /// Returns a complete frame with the given payload. A payload of more than 65,535 bytes is
    /// truncated.
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
