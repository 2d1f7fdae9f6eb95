// SPDX-License-Identifier: MIT
package import GNSS

/// One sentence as the framer found it: its bytes, not decoded.
public struct RawSentence: BitwiseCopyable, ~Escapable {
    /// From the start character on as far as there is anything: words are loaded whole.
    let rest: Span<UInt8>
    let commas: CommaMarks
    /// The characters of the text.
    private let textCount: Int
    /// The characters of the body.
    private let bodyCount: Int
    /// The characters of the address.
    private let addressCount: Int

    /// Where the start character stood in the stream.
    public let offset: Int

    /// It ran into the next sentence without a line end between them.
    public let isGlued: Bool

    /// Something followed the checksum.
    public let hasTrailingJunk: Bool

    /// Takes the sentence that begins at `start` of `bytes`.
    @_lifetime(copy bytes)
    @inline(__always)
    init(
        _ bytes: Span<UInt8>, start: Int, parts: SentenceCheck.Body, offset: Int, isGlued: Bool,
        hasTrailingJunk: Bool
    ) {
        rest = bytes.extracting(start..<bytes.count)
        commas = parts.commas
        textCount = parts.textEnd &- start
        bodyCount = parts.end &- start &- 1
        addressCount = parts.addressEnd &- start &- 1
        self.offset = offset
        self.isGlued = isGlued
        self.hasTrailingJunk = hasTrailingJunk
    }

    /// The first field.
    @inline(__always)
    public var address: Address { Address(rest, at: 1, count: addressCount) }

    /// The formatter where the sentence begins like nearly all: `$` and five capital letters.
    @inline(__always)
    var usualFormatter: SentenceFormatter? {
        guard addressCount == 5, !isEncapsulated else { return nil }
        return Address(rest, at: 1, count: 5).usualFormatter
    }

    /// How many fields follow the address.
    public var fieldCount: Int { commas.count }

    /// The start character was `!`: AIS and other encapsulated data.
    @inline(__always)
    public var isEncapsulated: Bool { rest[0] == UInt8(ascii: "!") }

    /// From the start character to the checksum, which are included.
    public var text: Span<UInt8> {
        @_lifetime(copy self)
        get { rest.extracting(0..<textCount) }
    }

    /// Address and fields, between the start character and the checksum.
    public var body: Span<UInt8> {
        @_lifetime(copy self)
        get { rest.extracting(1..<bodyCount + 1) }
    }

    /// The fields, from the first one after the address.
    @inline(__always)
    public var fields: FieldReader {
        @_lifetime(copy self)
        get {
            FieldReader(rest, end: bodyCount &+ 1, addressCount: addressCount, commas: commas)
        }
    }

    /// The fields that follow what a formatter takes; `nil` where the sentence is of another kind.
    @_lifetime(copy self)
    package func fields(of formatter: SentenceFormatter) -> FieldReader? {
        guard formatter.proprietary != nil else {
            return address.kind == .standard(formatter) ? fields : nil
        }
        guard !isEncapsulated, let length = formatter.proprietaryPrefix(of: body) else {
            return nil
        }
        let prefix = body.extracting(0..<length)
        var passed = 0
        for i in prefix.indices where prefix[i] == UInt8(ascii: ",") { passed += 1 }
        return FieldReader(
            rest, end: bodyCount + 1, addressCount: length, commas: commas,
            passed: passed)
    }

    /// The sentence as an array, for keeping.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(textCount)
        for i in 0..<textCount { bytes.append(rest[i]) }
        return bytes
    }
}

extension RawSentence {
    /// The time of the epoch, for the types of sentences that open one; see `Sentence.timing`.
    package var epochTime: TimeOfDay? {
        guard let type = SentenceTable.known.type(of: self) else { return nil }
        return epochTime(as: type)
    }

    private func epochTime(as type: (some Sentence).Type) -> TimeOfDay? {
        // A sentence that cannot be read has no time.
        guard let sentence = try? type.init(self), case .opens(let time) = sentence.timing
        else { return nil }
        return time
    }
}
