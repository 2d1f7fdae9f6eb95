// SPDX-License-Identifier: MIT
import GNSS

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
    private static let overhead = 8

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

/// A frame of CASIC, the binary protocol of Zhongke's chips. The class and the ID of its message
/// have the same form as in a UBX frame. The checksum is the sum of 32-bit words.
///
///     BA CE, length (2 bytes), class, id, payload (multiple of 4 bytes), checksum (4 bytes)
package struct CASICFrame: Hashable, Sendable {
    /// The first byte of a frame.
    package static let start: UInt8 = 0xBA
    package static let port = UBXMessageID(0x06, 0x00)
    /// The ID of the message that sets the output rate of a message.
    package static let message = UBXMessageID(0x06, 0x01)
    /// The ID of the message that sets the period between fixes.
    package static let rate = UBXMessageID(0x06, 0x04)
    /// The ID of the message that contains the versions of firmware and hardware.
    package static let version = UBXMessageID(0x0A, 0x04)

    package let id: UBXMessageID
    /// The bytes between the ID and the checksum.
    package let payload: [UInt8]

    /// The result of checking for a frame at the start of a byte sequence.
    package enum Recognition {
        /// A complete frame of `count` bytes with a valid checksum.
        case frame(CASICFrame, count: Int)
        /// Bytes that may be the beginning of a frame. More bytes are needed.
        case incomplete
        /// No frame begins here.
        case none
    }

    /// Returns a complete frame. The payload is padded with zeros to a multiple of 4 bytes.
    package static func bytes(_ id: UBXMessageID, payload: [UInt8]) -> [UInt8] {
        var payload = payload
        while !payload.count.isMultiple(of: 4) { payload.append(0) }
        let length = UInt16(truncatingIfNeeded: payload.count).littleEndianBytes
        let head: [UInt8] = [start, 0xCE] + length + [id.messageClass, id.number]
        return head + payload + checksum(id, payload).littleEndianBytes
    }

    /// Checks whether a frame begins at the start of the bytes.
    package static func recognise(_ bytes: ArraySlice<UInt8>) -> Recognition {
        let bytes = Array(bytes)
        guard bytes.count < 2 || bytes[1] == 0xCE else { return .none }
        guard bytes.count >= 6 else { return .incomplete }
        let length = Int(bytes[2]) | Int(bytes[3]) << 8
        guard length <= 2048, length.isMultiple(of: 4) else { return .none }
        let end = 6 + length
        guard bytes.count >= end + 4 else { return .incomplete }
        let frame = CASICFrame(
            id: UBXMessageID(bytes[4], bytes[5]), payload: Array(bytes[6..<end]))
        let sum = checksum(frame.id, frame.payload)
        return Array(bytes[end..<end + 4]) == sum.littleEndianBytes
            ? .frame(frame, count: end + 4) : .none
    }

    private static func checksum(_ id: UBXMessageID, _ payload: [UInt8]) -> UInt32 {
        var sum =
            UInt32(id.number) << 24 &+ UInt32(id.messageClass) << 16 &+ UInt32(payload.count)
        for index in stride(from: 0, to: payload.count, by: 4) {
            sum &+= UInt32(littleEndianBytes: payload[index..<index + 4])
        }
        return sum
    }
}

/// Calculates the checksums of possible frames in a buffer.
///
/// Noise can look like the header of a long frame at every sixth byte, so possible frames can
/// overlap. After the first wrong checksum, this type keeps the running sums of all bytes. The
/// checksum of an overlapping frame is then the difference of two sums, and takes the same time for
/// any length.
package struct UBXChecksums: Sendable {
    /// The index, in the buffer, of the latest frame with a wrong checksum; `nil` if there was
    /// none.
    private var wrong: Int?
    /// The index, in the buffer, of the byte to which the first element of `sums` belongs.
    private var start = 0
    /// For each index from `start`, the two Fletcher sums of the bytes from `start` up to the
    /// index, without the byte at the index.
    private var sums: [(a: UInt8, b: UInt8)] = []
    /// Whether `sums` belongs to an earlier buffer.
    private var isStale = true

    /// Creates a calculation without a buffer.
    package init() {}

    /// Discards the stored sums. Call this function before checking another buffer.
    package mutating func reset() {
        wrong = nil
        isStale = true
    }

    /// Records that the checksum of the frame at an index is wrong.
    mutating func didReject(at index: Int) { wrong = index }

    mutating func checksum(_ bytes: Span<UInt8>, _ range: Range<Int>) -> (UInt8, UInt8) {
        guard let wrong, 0...UBXFrame.maximumPayload ~= range.lowerBound - wrong else {
            return UBXFrame.checksum(bytes.extracting(range))
        }
        if isStale || !(0...UBXFrame.maximumPayload ~= range.lowerBound - start) {
            start = range.lowerBound
            sums.removeAll(keepingCapacity: true)
            sums.append((0, 0))
            isStale = false
        }
        var (a, b) = sums[sums.count - 1]
        while start + sums.count <= range.upperBound {
            a &+= bytes[start + sums.count - 1]
            b &+= a
            sums.append((a, b))
        }
        let (first, last) = (sums[range.lowerBound - start], sums[range.upperBound - start])
        let count = UInt8(truncatingIfNeeded: range.count)
        return (last.a &- first.a, last.b &- first.b &- count &* first.a)
    }
}
