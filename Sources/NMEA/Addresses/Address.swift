// SPDX-License-Identifier: MIT
import UBX

/// A sentence's first field, stored in one word of up to eight characters.
public struct Address: Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
    /// The first character in the lowest byte.
    let packed: UInt64

    /// The number of characters of the field; only the first eight are stored.
    let length: UInt16

    /// Whether all characters after the eighth are capital letters or digits.
    let isRestPlain: Bool

    /// Creates an empty address.
    package init() {
        packed = 0
        length = 0
        isRestPlain = true
    }

    /// Creates an address of at most eight characters.
    package init(_ text: String) {
        packed = text.utf8.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        length = UInt16(clamping: text.utf8.count)
        isRestPlain = length <= 8
    }

    /// Creates an address for a UBX message, which no sentence can have: its first byte is the class.
    init(_ message: UBXMessageID) {
        packed =
            UInt64(message.messageClass) | UInt64(message.number) << 8
            | UInt64(UInt8(ascii: "U")) << 16
        length = 3
        isRestPlain = true
    }

    /// Creates an address from `count` characters, starting at an index.
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

    /// The kind of sentence that an address denotes.
    public enum Kind: Hashable, Sendable {
        /// A talker of two letters and a formatter of three.
        case standard(SentenceFormatter)
        /// `P` and a manufacturer.
        case proprietary
        /// A query such as `EIGPQ`: one talker asks another for a sentence.
        case query
        /// Any other length; delivered undecoded.
        case other
        /// Characters that are not valid in an address.
        case bad
    }

    /// The kind of the sentence.
    @inline(__always)
    public var kind: Kind {
        if let formatter = fastFormatter { return .standard(formatter) }
        return slowKind
    }

    @inline(never)
    var slowKind: Kind {
        // Quectel's talker PQ starts like a proprietary address, but is not one.
        let isQuectel = packed == Self.pqgsv || packed == Self.pqgsa
        if byte(0) == UInt8(ascii: "P"), !isQuectel { return .proprietary }
        guard isPlain else { return .bad }
        guard length == 5 else { return .other }
        if byte(4) == UInt8(ascii: "Q") { return .query }
        return .standard(formatter)
    }

    /// The formatter of an address of five capital letters that is neither proprietary nor a query.
    @inline(__always)
    var fastFormatter: SentenceFormatter? {
        guard length == 5, areLetters, packed & 0xFF != UInt64(UInt8(ascii: "P")),
            packed >> 32 != UInt64(UInt8(ascii: "Q"))
        else { return nil }
        return formatter
    }

    /// The two bytes of the talker.
    var talkerKey: UInt16 { UInt16(truncatingIfNeeded: packed) }

    /// Whether the sentence is a satellite receiver's: the talker is a constellation's, the sentence
    /// is proprietary, or it is a UBX message.
    var isOfSatelliteReceiver: Bool {
        switch UInt8(truncatingIfNeeded: packed) {
        case UInt8(ascii: "G"), UInt8(ascii: "P"), 0..<0x20: true
        default:
            talkerKey == Address.key("B", "D") || talkerKey == Address.key("Q", "Z")
        }
    }

    /// The talker, for standard addresses.
    public var talker: Talker { Talker(rawValue: String(description.prefix(2))) }

    @inline(__always)
    var formatter: SentenceFormatter {
        SentenceFormatter(key: UInt32(truncatingIfNeeded: packed.byteSwapped >> 24) & 0xFF_FFFF)
    }

    /// The characters.
    public var description: String {
        String(decoding: (0..<min(Int(length), 8)).map { byte($0) }, as: UTF8.self)
    }

    private static let pqgsv: UInt64 = 0x56_5347_5150
    private static let pqgsa: UInt64 = 0x41_5347_5150

    private func byte(_ index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: packed >> UInt64(8 * index))
    }

    /// Whether the first five characters are capital letters; all are compared at once.
    @inline(__always)
    var areLetters: Bool {
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
