// SPDX-License-Identifier: MIT
package import GNSS

/// The undecoded bytes of a sentence found by a framer.
public struct RawSentence: BitwiseCopyable, ~Escapable {
    /// The bytes from the start character to the end of the buffer. They extend beyond the
    /// sentence, because whole words are loaded.
    let rest: Span<UInt8>
    let commas: CommaMarks
    /// The number of characters in `text`.
    private let textCount: Int
    /// The number of characters in `body`.
    private let bodyCount: Int
    /// The number of characters in the address.
    private let addressCount: Int

    /// The offset of the start character in the stream.
    public let offset: Int

    /// Whether the next sentence or a binary frame follows without a line end.
    public let isGlued: Bool

    /// Whether other bytes follow the checksum.
    public let hasTrailingJunk: Bool

    /// Creates the sentence that begins at `start` of `bytes`.
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

    /// The address: the first field of the sentence.
    @inline(__always)
    public var address: Address { Address(rest, at: 1, count: addressCount) }

    /// The formatter, if the sentence begins with `$` and five capital letters, as most do;
    /// otherwise `nil`.
    @inline(__always)
    var fastFormatter: SentenceFormatter? {
        guard addressCount == 5, !isEncapsulated else { return nil }
        return Address(rest, at: 1, count: 5).fastFormatter
    }

    /// The number of fields after the address.
    public var fieldCount: Int { commas.count }

    /// Whether the start character is `!`, which marks AIS and other encapsulated data.
    @inline(__always)
    public var isEncapsulated: Bool { rest[0] == UInt8(ascii: "!") }

    /// The sentence from the start character up to and including the checksum.
    public var text: Span<UInt8> {
        @_lifetime(copy self)
        get { rest.extracting(0..<textCount) }
    }

    /// The address and the fields, without the start character and the checksum.
    public var body: Span<UInt8> {
        @_lifetime(copy self)
        get { rest.extracting(1..<bodyCount + 1) }
    }

    /// A reader that begins at the first field after the address.
    @inline(__always)
    public var fields: FieldReader {
        @_lifetime(copy self)
        get {
            FieldReader(rest, end: bodyCount &+ 1, addressCount: addressCount, commas: commas)
        }
    }

    /// Returns a reader that begins at the first field after the formatter; `nil` if the sentence
    /// does not have this formatter.
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

    /// A copy of the sentence's bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(textCount)
        for i in 0..<textCount { bytes.append(rest[i]) }
        return bytes
    }
}

extension RawSentence {
    /// Whether the sentence may contain measurements: it is neither TXT nor proprietary, and its
    /// address has no invalid characters.
    package var hasMeasurements: Bool {
        switch address.kind {
        case .proprietary, .bad: false
        case .standard(let formatter): formatter != TXT.formatter
        case .query, .other: true
        }
    }

    /// The time of the epoch; `nil` if the sentence type does not open an epoch, or if the time is
    /// missing. See `Sentence.timing`.
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
