// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The first field of a sentence. Its first eight characters are stored in one 64-bit word.
public struct Address: Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
    /// The characters, with the first one in the lowest byte.
    private let packed: UInt64

    /// The number of characters in the field. Only the first eight are stored.
    let length: UInt16

    /// Whether all characters after the eighth are capital letters or digits; `true` if there are
    /// none.
    private let isRestPlain: Bool

    /// Creates an empty address.
    package init() {
        packed = 0
        length = 0
        isRestPlain = true
    }

    /// Creates an address of at most eight characters.
    package init(_ text: String) {
        packed = UInt64(littleEndianBytes: text.utf8.prefix(8))
        length = UInt16(clamping: text.utf8.count)
        isRestPlain = length <= 8
    }

    /// Creates an address for a UBX message. Its first byte is the message class, so it differs
    /// from the address of every sentence.
    init(_ message: UBXMessageID) {
        packed =
            UInt64(message.messageClass) | UInt64(message.number) << 8
            | UInt64(UInt8(ascii: "U")) << 16
        length = 3
        isRestPlain = true
    }

    /// Creates an address from `count` characters that start at an index.
    @inline(__always)
    init(_ bytes: Span<UInt8>, at start: Int, count: Int) {
        let word = WordScan.load(bytes, at: start)
        packed = count < 8 ? word & WordScan.first(count) : word
        length = UInt16(truncatingIfNeeded: count)
        isRestPlain = count <= 8 || Self.isPlain(bytes, from: start + 8, to: start + count)
    }

    static func isPlain(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        (start..<end).allSatisfy { isUpperCaseOrDigit(bytes[$0]) }
    }

    /// The kind of sentence that an address identifies.
    public enum Kind: Hashable, Sendable {
        /// A standard sentence: a talker of two letters and a formatter of three.
        case standard(SentenceFormatter)
        /// A proprietary sentence: `P` and a manufacturer.
        case proprietary
        /// A query such as `EIGPQ`, in which one talker requests a sentence from another.
        case query
        /// An address of any other length. Its sentence is delivered undecoded.
        case other
        /// An address with invalid characters.
        case bad
    }

    /// The kind of sentence that the address identifies.
    @inline(__always)
    public var kind: Kind {
        if let formatter = fastFormatter { return .standard(formatter) }
        return slowKind
    }

    @inline(never)
    private var slowKind: Kind {
        // With Quectel's talker PQ, the address looks proprietary, but is a standard one.
        let isQuectel = packed == Self.pqgsv || packed == Self.pqgsa
        if byte(0) == UInt8(ascii: "P"), !isQuectel { return .proprietary }
        guard isPlain else { return .bad }
        guard length == 5 else { return .other }
        if byte(4) == UInt8(ascii: "Q") { return .query }
        return .standard(formatter)
    }

    /// The formatter, if the address consists of five capital letters and is neither proprietary
    /// nor a query; otherwise `nil`.
    @inline(__always)
    var fastFormatter: SentenceFormatter? {
        guard length == 5, areLetters, packed & 0xFF != UInt64(UInt8(ascii: "P")),
            packed >> 32 != UInt64(UInt8(ascii: "Q"))
        else { return nil }
        return formatter
    }

    /// The first two characters: the talker of a standard address. The first character is in the
    /// lowest byte.
    var talkerKey: UInt16 { UInt16(truncatingIfNeeded: packed) }

    /// Whether the sentence comes from a satellite receiver: its talker begins with `G` or is `BD`
    /// or `QZ`, or it is a proprietary sentence (`KSXT` is one, too) or a UBX message.
    var isOfSatelliteReceiver: Bool {
        switch UInt8(truncatingIfNeeded: packed) {
        case UInt8(ascii: "G"), UInt8(ascii: "P"), 0..<0x20: true
        default:
            talkerKey == Address.key("B", "D") || talkerKey == Address.key("Q", "Z")
                || talkerKey == Address.key("K", "S")
        }
    }

    /// The key of the talker if a report of a fix, or of none, from this address concerns only one
    /// constellation or another device, such as an AIS transponder or a plotter with its own
    /// receiver; `nil` if it concerns the receiver's combined fix.
    var part: UInt16? { isOfOneConstellation || !isOfSatelliteReceiver ? talkerKey : nil }

    /// Whether the address identifies a UBX message. It then begins with the message class, a byte
    /// below 0x20, with which no sentence begins.
    var isOfUBX: Bool { UInt8(truncatingIfNeeded: packed) < 0x20 }

    /// The talker. It is meaningful only for a standard address.
    public var talker: Talker { Talker(rawValue: String(description.prefix(2))) }

    @inline(__always)
    var formatter: SentenceFormatter {
        SentenceFormatter(key: UInt32(truncatingIfNeeded: packed.byteSwapped >> 24) & 0xFF_FFFF)
    }

    /// The characters of the address; at most the first eight.
    public var description: String {
        String(decoding: (0..<min(Int(length), 8)).map { byte($0) }, as: UTF8.self)
    }

    private static let pqgsv: UInt64 = 0x56_5347_5150
    private static let pqgsa: UInt64 = 0x41_5347_5150

    private func byte(_ index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: packed >> UInt64(8 * index))
    }

    /// Whether the first five characters are capital letters. All five are checked in parallel.
    @inline(__always)
    private var areLetters: Bool {
        let marks = (packed &+ 0x3F_3F3F_3F3F) & ~(packed &+ 0x25_2525_2525)
        return marks & 0x80_8080_8080 == 0x80_8080_8080
    }

    private var isPlain: Bool {
        isRestPlain && (0..<min(Int(length), 8)).allSatisfy { Self.isUpperCaseOrDigit(byte($0)) }
    }

    private static func isUpperCaseOrDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
            || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}

/// The manufacturer of a proprietary sentence: the three letters after its `P`.
package struct Manufacturer: RawRepresentable, Hashable, Sendable {
    /// The three letters, such as `UBX`. A shorter address has fewer letters.
    package let rawValue: String

    /// Creates a manufacturer from its letters, even if it is unknown.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension Manufacturer {
    package static let uBlox = Manufacturer(rawValue: "UBX")
    package static let garmin = Manufacturer(rawValue: "GRM")
    package static let mediaTek = Manufacturer(rawValue: "MTK")
    /// Ashtech. Receivers of other manufacturers send its attitude sentence too.
    package static let ashtech = Manufacturer(rawValue: "ASH")
    package static let trimble = Manufacturer(rawValue: "TNL")
    package static let sirf = Manufacturer(rawValue: "SRF")
    /// SkyTraq.
    package static let skyTraq = Manufacturer(rawValue: "STI")
    /// ST Microelectronics.
    package static let st = Manufacturer(rawValue: "STM")
    package static let quectel = Manufacturer(rawValue: "QTM")
}

extension RawSentence {
    /// The manufacturer of a proprietary sentence; `nil` for other sentences.
    package var manufacturer: Manufacturer? {
        guard !isEncapsulated, address.kind == .proprietary else { return nil }
        return Manufacturer(rawValue: String(address.description.dropFirst().prefix(3)))
    }
}

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

/// The talker of a sentence: the first two letters of a standard address.
public struct Talker: RawRepresentable, Hashable, Sendable {
    /// The two letters, such as `GP`.
    public let rawValue: String

    /// Creates a talker from its letters, even if it is unknown.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension Talker {
    /// The talker of a receiver that combines several constellations.
    public static let gnss = Talker(rawValue: "GN")
}
