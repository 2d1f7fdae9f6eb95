// SPDX-License-Identifier: MIT

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
