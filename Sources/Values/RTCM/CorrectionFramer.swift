// SPDX-License-Identifier: MIT
import NMEA
import UBX

/// A complete message from a stream of corrections, with a valid checksum.
package struct CorrectionMessage: Hashable, Sendable {
    /// The protocol and the type of a message.
    package enum Kind: Hashable, Sendable {
        /// RTCM 3. The station is `nil` if the type does not contain one.
        case rtcm(type: Int, station: Int?)
        /// SPARTN: the number of the message type and its subtype. The content is not read.
        case spartn(type: Int, subtype: Int)
        /// Assistance data of u-blox: a UBX message of class MGA.
        case assistance
    }

    /// Returns the frame of an RTCM 3 message: preamble, six zero bits, length, payload and CRC-24Q.
    package static func frame(rtcm payload: [UInt8]) -> [UInt8] {
        let frame = [0xD3, UInt8(payload.count >> 8 & 3), UInt8(payload.count & 0xFF)] + payload
        let crc = FrameChecksum.rtcm3(frame.span)
        return frame + [16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> UInt32($0)) }
    }

    package let kind: Kind
    /// The whole message, as it is sent to the receiver.
    package let bytes: [UInt8]

    /// The kind of content.
    package var content: CorrectionContent {
        switch kind {
        case .rtcm(let type, _): CorrectionContent(rtcm: type)
        case .spartn: .observations
        case .assistance: .assistance
        }
    }
}

/// The content of a correction message. A receiver can do without a message of a lower value rather
/// than without one of a higher value.
package enum CorrectionContent: Int, Comparable, CaseIterable, Sendable {
    /// The measurements of one epoch. Those of the next epoch replace them.
    case observations
    case ephemerides
    /// Texts, and messages that are not known.
    case other
    /// The station's position, equipment and biases, which are sent every few seconds.
    case station
    /// Assistance data, which is sent once.
    case assistance

    /// The known RTCM types.
    private static let rtcm: [(types: ClosedRange<Int>, content: CorrectionContent)] = [
        (1001...1004, .observations), (1009...1012, .observations), (1071...1137, .observations),
        (4072...4072, .observations), (1019...1020, .ephemerides), (1041...1046, .ephemerides),
        (1005...1008, .station), (1013...1013, .station), (1033...1033, .station),
        (1230...1230, .station),
    ]

    init(rtcm type: Int) {
        self = Self.rtcm.first { $0.types ~= type }?.content ?? .other
    }

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// Finds the messages in a stream of corrections: RTCM 3, SPARTN, and UBX messages of class MGA.
///
/// All other bytes are skipped, because a receiver would take another receiver's sentences or UBX
/// messages for commands. Pass it chunks of any size: the result does not depend on where the
/// stream is split. At most one incomplete message is buffered.
package struct CorrectionFramer: Sendable {
    /// The longest payload of a UBX message of class MGA that is accepted. A longer one is noise.
    private static let longestAssistance = 1024

    /// The bytes from the beginning of a message that is not complete.
    private var pending: [UInt8] = []
    /// The number of bytes that belong to no message.
    package private(set) var skippedCount = 0

    package init() {}

    /// The number of buffered bytes.
    package var pendingCount: Int { pending.count }

    /// Parses the next bytes of the stream and passes the complete messages to `handle`.
    package mutating func push(
        _ bytes: some Sequence<UInt8>, _ handle: (CorrectionMessage) -> Void
    ) {
        pending.append(contentsOf: bytes)
        var checksums = UBXChecksums()
        var start = 0
        scan: while start < pending.count {
            switch Self.recognise(pending.span, at: start, &checksums) {
            case .incomplete: break scan
            case .none:
                skippedCount &+= 1
                start += 1
            case .message(let kind, let count):
                handle(
                    CorrectionMessage(kind: kind, bytes: Array(pending[start..<start + count])))
                start += count
            }
        }
        if start > 0 { pending.removeFirst(start) }
    }

    /// Drops an incomplete message. Call it when the stream begins again.
    package mutating func reset() {
        skippedCount &+= pending.count
        pending.removeAll(keepingCapacity: true)
    }

    /// The result of checking for a message at an index.
    private enum Recognition {
        case message(CorrectionMessage.Kind, count: Int)
        /// Bytes that may be the beginning of a message. More bytes are needed.
        case incomplete
        case none
    }

    private static func recognise(
        _ bytes: Span<UInt8>, at start: Int, _ checksums: inout UBXChecksums
    ) -> Recognition {
        let rest = bytes.extracting(start..<bytes.count)
        switch rest[0] {
        case 0xD3:
            switch BinaryFrame.recognise(bytes, at: start, &checksums) {
            case .none: return .none
            case .incomplete: return .incomplete
            case .frame(_, let count):
                // A frame without a payload has no type.
                guard count >= 8 else { return .none }
                return .message(rtcm(rest.extracting(3..<count - 3)), count: count)
            }
        case 0xB5:
            guard rest.count < 2 || rest[1] == 0x62, rest.count < 3 || rest[2] == 0x13 else {
                return .none
            }
            guard rest.count >= 6 else { return .incomplete }
            guard Int(rest[4]) | Int(rest[5]) << 8 <= longestAssistance else { return .none }
            switch BinaryFrame.recognise(bytes, at: start, &checksums) {
            case .none: return .none
            case .incomplete: return .incomplete
            case .frame(_, let count): return .message(.assistance, count: count)
            }
        case SPARTNHeader.preamble: return spartn(rest)
        default: return .none
        }
    }

    private static func rtcm(_ payload: Span<UInt8>) -> CorrectionMessage.Kind {
        let numbers = (0..<min(3, payload.count)).reduce(0) { $0 << 8 | Int(payload[$1]) }
        guard payload.count >= 3 else { return .rtcm(type: numbers >> 4, station: nil) }
        let type = numbers >> 12
        let content = CorrectionContent(rtcm: type)
        let hasStation = content == .observations || content == .station
        return .rtcm(type: type, station: hasStation && type < 4000 ? numbers & 0xFFF : nil)
    }

    private static func spartn(_ bytes: Span<UInt8>) -> Recognition {
        guard bytes.count >= 4 else { return .incomplete }
        guard let header = SPARTNHeader(bytes) else { return .none }
        guard let count = header.messageLength(bytes) else { return .incomplete }
        guard bytes.count >= count else { return .incomplete }
        let end = count - header.crc.size
        let sent = (end..<count).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[$1]) }
        guard header.crc.value(of: bytes.extracting(1..<end)) == sent else { return .none }
        return .message(
            .spartn(type: header.type, subtype: Int(bytes[4] >> 4)), count: count)
    }
}

/// The first four bytes of a SPARTN message. Numbers are big-endian:
///
///     0x73, type (7 bits), length of the payload (10), encrypted (1), CRC type (2), CRC-4 (4)
private struct SPARTNHeader {
    static let preamble: UInt8 = 0x73
    /// The message types of SPARTN 2: orbits, clocks and biases, atmosphere, and keys.
    private static let types = [0, 1, 2, 3, 4, 120]
    /// The length of the embedded authentication data, by its code.
    private static let authenticationLengths = [8, 12, 16, 32, 64]

    /// A CRC, most significant bit first.
    struct CRC {
        let size: Int
        let polynomial: UInt32
        var initial: UInt32 = 0

        func value(of bytes: Span<UInt8>) -> UInt32 {
            let shift = UInt32(8 * size)
            let mask = UInt32.max >> (32 - shift)
            var crc = initial
            for index in bytes.indices {
                crc ^= UInt32(bytes[index]) << (shift - 8)
                for _ in 0..<8 {
                    let isSet = crc >> (shift - 1) & 1 == 1
                    crc = (isSet ? crc << 1 ^ polynomial : crc << 1) & mask
                }
            }
            return crc ^ initial
        }
    }

    /// The CRC of the message, by its code. A CRC of one byte (code 0) is not accepted: it would
    /// let noise through to the receiver.
    private static let crcs = [
        CRC(size: 2, polynomial: 0x1021), CRC(size: 3, polynomial: 0x86_4CFB),
        CRC(size: 4, polynomial: 0x04C1_1DB7, initial: .max),
    ]

    let type: Int
    let crc: CRC
    private let payloadLength: Int
    private let isEncrypted: Bool

    /// Returns `nil` if the bytes are not a header. There must be at least four.
    init?(_ bytes: Span<UInt8>) {
        let bits = Int(bytes[1]) << 16 | Int(bytes[2]) << 8 | Int(bytes[3])
        let crcCode = bits >> 4 & 3
        type = bits >> 17
        payloadLength = bits >> 7 & 0x3FF
        isEncrypted = bits >> 6 & 1 == 1
        guard crcCode > 0, Self.types.contains(type), Self.crc4(bits & ~0xF) == bits & 0xF else {
            return nil
        }
        crc = Self.crcs[crcCode - 1]
    }

    /// Returns the length of the whole message; `nil` if more bytes are needed to know it.
    func messageLength(_ bytes: Span<UInt8>) -> Int? {
        guard bytes.count > 4 else { return nil }
        // The time of the message has 16 or 32 bits.
        var count = bytes[4] & 8 == 0 ? 8 : 10
        var authentication = 0
        if isEncrypted {
            count += 2
            guard bytes.count >= count else { return nil }
            let (indicator, code) = (bytes[count - 1] >> 3 & 7, Int(bytes[count - 1] & 7))
            if indicator > 1, code < Self.authenticationLengths.count {
                authentication = Self.authenticationLengths[code]
            }
        }
        return count + payloadLength + authentication + crc.size
    }

    /// Returns the CRC of the header, least significant bit first.
    private static func crc4(_ bits: Int) -> Int {
        var crc = 0
        for shift in [16, 8, 0] {
            crc ^= bits >> shift & 0xFF
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x9 : crc >> 1 }
        }
        return crc
    }
}
