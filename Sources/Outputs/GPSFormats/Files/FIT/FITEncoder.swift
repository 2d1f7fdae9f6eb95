// SPDX-License-Identifier: MIT
import GNSS

/// A field of a message: its number in FIT's profile, its type and its value.
struct FITField {
    let number: UInt8
    let type: FITType
    fileprivate let bytes: [UInt8]

    /// Creates a field with a number. If the number is `nil` or out of the range of the type, it is
    /// written as unknown.
    init(_ number: UInt8, _ type: FITType, _ value: Int?) {
        self.number = number
        self.type = type
        let known = value.flatMap { type.range.contains($0) ? $0 : nil } ?? type.invalid
        bytes = (0..<type.size).map { UInt8(truncatingIfNeeded: known >> (8 * $0)) }
    }

    /// Creates a field with the number (`value` + `offset`) × `scale`, rounded.
    init(_ number: UInt8, _ type: FITType, _ value: Double?, scale: Double, offset: Double = 0) {
        let scaled = value.flatMap { Int(exactly: (($0 + offset) * scale).rounded()) }
        self.init(number, type, scaled)
    }

    /// Creates a field with a text. At most 60 characters are stored.
    init(_ number: UInt8, _ text: String) {
        self.number = number
        type = .text
        let kept = String.UnicodeScalarView(text.unicodeScalars.prefix(60).filter { $0.value > 0 })
        bytes = Array(String(kept).utf8) + [0]
    }

    /// The bytes for the field in the definition of its message.
    fileprivate var definition: [UInt8] { [number, UInt8(bytes.count), type.rawValue] }
}

/// Writes FIT messages. A definition is written before a message if it differs from the last
/// definition for this kind of message.
struct FITEncoder {
    /// The version of the protocol, 1.0. It has no developer fields and no 64-bit numbers.
    private static let version: UInt8 = 0x10
    /// The version of the profile, 21.32.
    private static let profile: Int = 2132
    /// The size of the header in bytes.
    private static let headerSize = 14

    /// The output that has not been drained.
    var buffer = TextBuffer()
    /// The total size of all messages in bytes.
    private var size = 0
    private var checksum = FITChecksum()
    /// The last definition of each message.
    private var definitions: [FITMessage: [UInt8]] = [:]

    /// Writes a preliminary header, to be replaced by `header` when the file is complete.
    mutating func begin() {
        for byte in header { buffer.append(byte) }
    }

    /// The header with the current size of all messages.
    var header: [UInt8] {
        let fields = [
            FITField(0, .uint8, Self.headerSize), FITField(1, .uint8, Int(Self.version)),
            FITField(2, .uint16, Self.profile), FITField(4, .uint32, size),
        ]
        let bytes = fields.flatMap { $0.bytes } + Array(".FIT".utf8)
        var checksum = FITChecksum()
        checksum.add(bytes)
        return bytes + checksum.bytes
    }

    /// The checksum of the file. It does not depend on the header, because the header ends with its
    /// own checksum.
    var end: [UInt8] { checksum.bytes }

    /// Appends a message.
    mutating func append(_ message: FITMessage, _ fields: [FITField]) {
        // The local number of a message is its index in `FITMessage.allCases`.
        guard let local = FITMessage.allCases.firstIndex(of: message).map({ UInt8($0) }) else {
            return
        }
        let number = message.rawValue.littleEndianBytes
        let definition =
            [0, 0] + number + [UInt8(fields.count)] + fields.flatMap { $0.definition }
        if definitions[message] != definition {
            definitions[message] = definition
            append([0x40 | local] + definition)
        }
        append([local] + fields.flatMap { $0.bytes })
    }

    private mutating func append(_ bytes: [UInt8]) {
        for byte in bytes { buffer.append(byte) }
        checksum.add(bytes)
        size += bytes.count
    }
}
