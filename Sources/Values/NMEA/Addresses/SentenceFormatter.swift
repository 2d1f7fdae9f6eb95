// SPDX-License-Identifier: MIT

/// Identifies a type of sentence by the last three letters of a standard address, or by the
/// beginning of a proprietary sentence.
///
/// Write a formatter as a literal. `"GGA"` is a standard formatter and matches any talker. A longer
/// literal that begins with `P` is proprietary: it is an address such as `"PGRME"`, or an address
/// with the first fields, such as `"PUBX,00"`, if these distinguish the manufacturer's sentences.
/// The four letters of an address without a talker, such as `"KSXT"`, are treated the same way.
public struct SentenceFormatter: Hashable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The three characters of a standard formatter, with the first in bits 16 to 23; 0 for a
    /// proprietary sentence.
    @usableFromInline let key: UInt32

    /// The address of a proprietary sentence and any distinguishing fields, such as `PUBX,00`;
    /// `nil` for a standard formatter.
    @usableFromInline let proprietary: StaticString?

    @inline(__always)
    init(key: UInt32) {
        self.key = key
        proprietary = nil
    }

    /// Creates a formatter from three characters, or from a longer literal. A shorter one creates a
    /// formatter that matches no sentence.
    @inlinable
    public init(stringLiteral value: StaticString) {
        var key: UInt32 = 0
        value.withUTF8Buffer { for byte in $0.prefix(3) { key = key << 8 | UInt32(byte) } }
        self.key = value.utf8CodeUnitCount == 3 ? key : 0
        proprietary = value.utf8CodeUnitCount > 3 ? value : nil
    }

    /// Returns the length of this proprietary formatter in bytes if a sentence's body begins with
    /// it; otherwise `nil`.
    func proprietaryPrefix(of body: Span<UInt8>) -> Int? {
        proprietary?.withUTF8Buffer { text in
            guard body.count >= text.count else { return nil }
            for (index, byte) in text.enumerated() where body[index] != byte { return nil }
            let isWhole = body.count == text.count || body[text.count] == UInt8(ascii: ",")
            return isWhole ? text.count : nil
        }
    }

    /// The three letters of a standard formatter, or the beginning of a proprietary sentence.
    public var description: String {
        if let proprietary { return "\(proprietary)" }
        let bytes = [UInt8(key >> 16 & 255), UInt8(key >> 8 & 255), UInt8(key & 255)]
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns whether both formatters match the same sentences.
    @inlinable
    public static func == (a: Self, b: Self) -> Bool {
        a.key == b.key && (a.key != 0 || a.description == b.description)
    }

    /// Hashes the characters.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        if proprietary != nil { hasher.combine(description) }
    }
}
