// SPDX-License-Identifier: MIT
import GNSS

/// The CRC-16 of FIT files: polynomial 0x8005, reflected, initially 0.
struct FITChecksum: Equatable {
    private static let table: [UInt16] = (0..<256).map { (byte: UInt16) -> UInt16 in
        var crc = byte
        for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xA001 : 0) }
        return crc
    }

    /// The checksum of the bytes added so far. It is 0 if they end with their own checksum.
    private(set) var value: UInt16 = 0

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            value = value >> 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: value) ^ byte)]
        }
    }

    /// The checksum as stored in files, low byte first.
    var bytes: [UInt8] { value.littleEndianBytes }
}

/// A definition message: it describes the fields of the following data messages with the same local
/// number.
struct FITDefinition {
    private struct Field {
        let number: UInt8
        let offset: Int
        let size: Int
        /// The base type; `nil` for types that this program does not read.
        let type: FITType?
    }

    /// The global message number, as in FIT's profile.
    let message: UInt16
    /// The size of a data message in bytes, without its header.
    let size: Int
    private let isBigEndian: Bool
    private let fields: [Field]

    /// Returns the length in bytes of the definition that begins with these bytes; `nil` if more
    /// bytes are needed to determine it.
    static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let header = bytes.first, bytes.count >= 6 else { return nil }
        let length = 6 + 3 * Int(bytes[bytes.startIndex + 5])
        // Bit 5 indicates developer fields.
        guard header & 0x20 != 0 else { return length }
        guard bytes.count > length else { return nil }
        return length + 1 + 3 * Int(bytes[bytes.startIndex + length])
    }

    /// Reads a complete definition. Returns `nil` if it is malformed.
    init?(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count >= 6, bytes[2] <= 1 else { return nil }
        isBigEndian = bytes[2] == 1
        let number = (UInt16(bytes[3]), UInt16(bytes[4]))
        message = isBigEndian ? number.0 << 8 | number.1 : number.1 << 8 | number.0
        let end = 6 + 3 * Int(bytes[5])
        guard bytes.count >= end else { return nil }
        var (fields, offset): ([Field], Int) = ([], 0)
        for start in stride(from: 6, to: end, by: 3) {
            let size = Int(bytes[start + 1])
            fields.append(
                Field(
                    number: bytes[start], offset: offset, size: size,
                    type: FITType(rawValue: bytes[start + 2])))
            offset += size
        }
        // Developer fields are skipped.
        for start in stride(from: end + 1, to: bytes.count - 2, by: 3) {
            offset += Int(bytes[start + 1])
        }
        self.fields = fields
        size = offset
    }

    /// Returns the number in a field of a data message; `nil` if the field is missing, unknown or
    /// not a single number.
    func number(_ number: UInt8, in message: ArraySlice<UInt8>) -> Int? {
        guard let (bytes, type) = bytes(number, in: message), bytes.count == type.size else {
            return nil
        }
        let ordered = isBigEndian ? Array(bytes) : bytes.reversed()
        let unsigned = ordered.reduce(0) { $0 << 8 | Int($1) }
        let isNegative = type.isSigned && (ordered.first ?? 0) & 0x80 != 0
        let value = isNegative ? unsigned - 1 << (8 * type.size) : unsigned
        return type.range.contains(value) ? value : nil
    }

    /// Returns the text in a field of a data message; `nil` if the field is missing or not text.
    func text(_ number: UInt8, in message: ArraySlice<UInt8>) -> String? {
        guard let (bytes, type) = bytes(number, in: message), type == .text else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    private func bytes(
        _ number: UInt8, in message: ArraySlice<UInt8>
    ) -> (ArraySlice<UInt8>, FITType)? {
        guard let field = fields.first(where: { $0.number == number }), let type = field.type,
            message.count >= field.offset + field.size
        else { return nil }
        return (message.dropFirst(field.offset).prefix(field.size), type)
    }
}

/// Reads the records of a FIT file, or of several chained FIT files.
///
/// Records without a position, other messages and developer fields are skipped. A record with an
/// impossible position is skipped and counted. A start or a stop of the timer ends the segment. The
/// checksum is at the end of the file, so a wrong checksum is reported after all records.
package struct FITInput: InputReader {
    /// The part of the file to read next.
    private enum Part {
        case header
        /// Messages, with the number of bytes before the checksum; `nil` if the header does not
        /// contain the size.
        case messages(Int?)
        case checksum
    }

    private let file: String
    private var part = Part.header
    /// The bytes of an incomplete element.
    private var buffer: [UInt8] = []
    /// The offset of the buffer in the file.
    private var offset = 0
    private var checksum = FITChecksum()
    private var definitions: [UInt8: FITDefinition] = [:]
    private var records = FITRecords()
    package private(set) var leftOut = LeftOut()

    /// The values of sports that are not read; see `InputReader.warning`.
    package var warning: String? { records.unread.warning }

    package init(file: String) {
        self.file = file
    }

    package var formatName: String { "FIT" }

    /// Returns whether a file with these first bytes is FIT; `nil` if more bytes are needed to
    /// determine that.
    package static func begins(_ bytes: ArraySlice<UInt8>) -> Bool? {
        guard let first = bytes.first, first == 12 || first == 14 else { return false }
        let name = bytes.dropFirst(8).prefix(4)
        guard ".FIT".utf8.starts(with: name) else { return false }
        return name.count < 4 ? nil : true
    }

    package mutating func push(
        _ bytes: ArraySlice<UInt8>, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        buffer += bytes
        var start = 0
        defer {
            buffer.removeFirst(start)
            offset += start
        }
        while let count = try read(buffer[start...], at: offset + start, receive) { start += count }
    }

    package mutating func finish(_ receive: (InputEvent) -> Void) throws(InputError) {
        switch part {
        case .header where buffer.isEmpty: return
        case .header: throw error("this is not FIT", at: offset)
        case .messages(nil):
            throw InputError(file, "the file is incomplete: its recording was interrupted")
        case .messages, .checksum:
            throw InputError(file, "the file is cut off after \(offset + buffer.count) bytes")
        }
    }

    private func error(_ reason: String, at offset: Int) -> InputError {
        InputError(file, "\(reason) (at byte \(offset))")
    }

    /// Reads the next element. Returns its size in bytes; `nil` if it is incomplete.
    private mutating func read(
        _ bytes: ArraySlice<UInt8>, at offset: Int, _ receive: (InputEvent) -> Void
    ) throws(InputError) -> Int? {
        switch part {
        case .header: return try readHeader(bytes, offset, receive)
        case .messages(let rest):
            guard let count = try length(bytes, offset) else { return nil }
            if let rest, rest < count {
                throw error("a message is longer than the rest of the file", at: offset)
            }
            guard bytes.count >= count else { return nil }
            let message = bytes.prefix(count)
            checksum.add(message)
            part = rest == count ? .checksum : .messages(rest.map { $0 - count })
            try readMessage(message, offset, receive)
            return count
        case .checksum:
            guard bytes.count >= 2 else { return nil }
            checksum.add(bytes.prefix(2))
            part = .header
            guard checksum.value == 0 else {
                throw error("the checksum is wrong: some of the data is damaged", at: offset)
            }
            return 2
        }
    }

    private mutating func readHeader(
        _ bytes: ArraySlice<UInt8>, _ offset: Int, _ receive: (InputEvent) -> Void
    ) throws(InputError) -> Int? {
        guard let first = bytes.first else { return nil }
        guard let begins = Self.begins(bytes) ?? (bytes.count < 12 ? nil : false) else {
            return nil
        }
        guard begins else { throw error("this is not FIT", at: offset) }
        let header = Array(bytes.prefix(Int(first)))
        guard header.count == Int(first) else { return nil }
        checksum = FITChecksum()
        checksum.add(header)
        // The header's own checksum is optional.
        guard header.count == 12 || checksum.value == 0 || header[12...] == [0, 0] else {
            throw error("the checksum of the header is wrong", at: offset)
        }
        let size = Int(littleEndianBytes: header[4..<8])
        part = .messages(size == 0 ? nil : size)
        definitions = [:]
        records = FITRecords(unread: records.unread)
        receive(.segment)
        return header.count
    }

    // MARK: Messages

    /// Returns the size in bytes of the message that begins with these bytes; `nil` if more bytes
    /// are needed to determine it.
    private func length(_ bytes: ArraySlice<UInt8>, _ offset: Int) throws(InputError) -> Int? {
        guard let header = bytes.first else { return nil }
        if header & 0xC0 == 0x40 { return FITDefinition.length(bytes) }
        guard let definition = definitions[Self.local(header)] else {
            throw error("a message has no definition", at: offset)
        }
        return 1 + definition.size
    }

    /// Returns the local number from the header of a message. A header with bit 7 contains a
    /// compressed timestamp.
    private static func local(_ header: UInt8) -> UInt8 {
        header & 0x80 == 0 ? header & 0x0F : header >> 5 & 0x03
    }

    private mutating func readMessage(
        _ message: ArraySlice<UInt8>, _ offset: Int, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        guard let header = message.first else { return }
        if header & 0xC0 == 0x40 {
            guard let definition = FITDefinition(message) else {
                throw error("a definition is malformed", at: offset)
            }
            return definitions[Self.local(header)] = definition
        }
        guard let definition = definitions[Self.local(header)] else { return }
        let isCompressed = header & 0x80 != 0
        if isCompressed { records.advance(toLowBits: UInt32(header & 0x1F)) }
        let event = records.event(definition, message.dropFirst(), hasTime: isCompressed)
        guard let event else { return }
        if case .fix(let fix, _) = event, fix.coordinate == nil {
            return leftOut.add(.position, "byte", offset)
        }
        receive(event)
    }
}

/// The messages that are read or written, by their global number in FIT's profile.
enum FITMessage: UInt16, CaseIterable {
    case fileID = 0
    case sport = 12
    case session = 18
    case lap = 19
    case record = 20
    case event = 21
    case deviceInfo = 23
    case activity = 34

    /// The field number of the timestamp in every message.
    static let timestamp: UInt8 = 253
    /// The field number of the message index in laps and sessions.
    static let index: UInt8 = 254
}

/// The base type of a field.
enum FITType: UInt8 {
    case enumeration = 0x00
    case sint8 = 0x01
    case uint8 = 0x02
    case text = 0x07
    case uint8z = 0x0A
    case sint16 = 0x83
    case uint16 = 0x84
    case sint32 = 0x85
    case uint32 = 0x86
    case uint16z = 0x8B
    case uint32z = 0x8C

    /// The size of one value in bytes.
    var size: Int {
        switch self {
        case .enumeration, .sint8, .uint8, .text, .uint8z: 1
        case .sint16, .uint16, .uint16z: 2
        case .sint32, .uint32, .uint32z: 4
        }
    }

    var isSigned: Bool { self == .sint8 || self == .sint16 || self == .sint32 }

    /// The valid values.
    var range: ClosedRange<Int> {
        let limit = 1 << (8 * size)
        return switch self {
        case .sint8, .sint16, .sint32: -limit / 2...limit / 2 - 2
        case .enumeration, .uint8, .uint16, .uint32, .text: 0...limit - 2
        case .uint8z, .uint16z, .uint32z: 1...limit - 1
        }
    }

    /// The number that represents an unknown value.
    var invalid: Int {
        switch self {
        case .uint8z, .uint16z, .uint32z: 0
        default: range.upperBound + 1
        }
    }
}

/// Constants for FIT's times, which are seconds since 1989-12-31T00:00:00Z.
enum FITTime {
    /// The Unix time of 1989-12-31T00:00:00Z.
    static let epoch: Int64 = 631_065_600
    /// The times that are dates, from 1998-07-03 to 2126-02-06. Lower numbers are seconds since a
    /// device was switched on.
    static let dates: Range<Int64> = 0x1000_0000..<0xFFFF_FFFF
}

/// Conversions of FIT's angles, whose unit is the semicircle: 180 degrees divided by 2^31.
enum FITAngle {
    /// Returns the nearest number of semicircles for degrees from -180 to 180. 180 becomes -180.
    ///
    /// The angle is first rounded to nine decimals of a degree, as in other formats.
    static func semicircles(_ degrees: Double) -> Int {
        let number = Int(((degrees * 1e9).rounded() / 180e9 * 0x1p31).rounded())
        // This number represents an unknown value. The next lower one differs by 9 mm.
        if number == FITType.sint32.invalid { return number - 1 }
        return number > FITType.sint32.invalid ? number - 1 << 32 : number
    }

    static func degrees(_ semicircles: Int) -> Double {
        Double(semicircles) * 180 / 0x1p31
    }
}
