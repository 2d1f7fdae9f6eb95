// SPDX-License-Identifier: MIT
package import GNSS
package import UBX

/// Splits a byte stream into sentences, binary frames, TAG blocks and rejected bytes.
///
/// Pass it chunks of any size: the result does not depend on where the stream is split. A framer
/// buffers at most one partial sentence or frame, and recovers from any input.
public struct Framer: Sendable {
    /// The limits and policies of a framer.
    public struct Options: Hashable, Sendable {
        /// Which sentences are accepted, depending on their checksum.
        public var checksum: ChecksumPolicy = .require
        /// The maximum length of a sentence in bytes, from the start character to the checksum; 1
        /// to 4095.
        public var maximumLength = 1024 {
            didSet { maximumLength = max(1, min(maximumLength, 4095)) }
        }
        /// Whether lines that begin with `#` are comments, in which sentences are not found. Set it
        /// only for recordings, because a framer waits for the end of a comment.
        package var skipsComments = false

        /// Creates the default options.
        public init() {}
    }

    private var scanner: Scanner
    /// The beginning of an incomplete sentence or frame.
    private var pending: [UInt8] = []
    /// Whether `silence` has been called since bytes were last added.
    private var wasSilent = false

    /// Creates a framer at the start of a stream.
    package init(options: Options = Options()) {
        scanner = Scanner(options: options)
    }

    /// See `Options.skipsComments`.
    var skipsComments: Bool {
        get { scanner.options.skipsComments }
        set { scanner.options.skipsComments = newValue }
    }

    /// Returns whether the same bytes produce the same events from both framers. Stream offsets are
    /// ignored.
    func hasSameState(with other: Framer) -> Bool {
        pending == other.pending && scanner.hasSameState(with: other.scanner)
    }

    /// Parses the next bytes of the stream and reports the results to `handle`.
    package mutating func push(_ bytes: Span<UInt8>, _ handle: (FramerEvent) -> Void) {
        push(bytes, sentence: { handle(.sentence($0)) }, other: handle)
    }

    /// Parses the next bytes of the stream. Sentences are reported separately from other events,
    /// which is faster.
    @inline(__always)
    package mutating func push(
        _ bytes: Span<UInt8>, sentence: (RawSentence) -> Void, other: (FramerEvent) -> Void
    ) {
        var next = 0
        wasSilent = false
        while !pending.isEmpty, next < bytes.count {
            // Each added piece doubles the buffer, so that a long binary frame is not scanned again
            // for every byte.
            let before = pending.count
            let piece = min(bytes.count - next, max(128, before))
            for i in next..<next + piece { pending.append(bytes[i]) }
            let used = scanner.scan(pending, sentence, other)
            if used >= before {
                next += used - before
                pending.removeAll(keepingCapacity: true)
            } else {
                next += piece
                pending.removeFirst(used)
            }
        }
        guard next < bytes.count else { return }
        let rest = bytes.extracting(next..<bytes.count)
        let used = scanner.scan(rest, policy: .everything, sentence, other)
        for i in used..<rest.count { pending.append(rest[i]) }
    }

    /// Stops waiting for a line end, and for the rest of a binary frame that a complete sentence or
    /// frame follows: its header is probably noise. Reports the sentences and frames found in the
    /// buffered bytes. Call it when a live line has been silent. Any other partial sentence or
    /// frame is kept.
    package mutating func silence(_ handle: (FramerEvent) -> Void) {
        let used = scanner.scan(pending, policy: .silence, { handle(.sentence($0)) }, handle)
        pending.removeFirst(used)
        wasSilent = true
    }

    /// Returns the index of the first byte from `start` that no sentence's body contains, such as a
    /// line end or the first byte of a UBX frame; the number of bytes if there is none.
    package static func endOfBody(_ bytes: Span<UInt8>, from start: Int) -> Int {
        WordScan.endOfBody(bytes, from: start)
    }

    /// The number of buffered bytes, which follow the last sentence, frame or rejected byte.
    package var pendingCount: Int { pending.count }

    /// The offset in the stream of the first byte that belongs to no element yet.
    var offset: Int { scanner.offset }

    /// Whether `silence` may release buffered bytes: the start of an apparent binary frame, which
    /// may be noise, or a sentence with its checksum, but without a line end.
    var awaitsSilence: Bool {
        guard !wasSilent else { return false }
        return pending.suffix(3).first == UInt8(ascii: "*")
            || pending.contains { $0 == 0xB5 || $0 == 0xD3 }
    }

    /// Drops a partial sentence or frame.
    mutating func reset() {
        pending.removeAll(keepingCapacity: true)
        scanner.reset()
    }

    /// Ends the stream. Pending bytes become a sentence or a rejection.
    package mutating func finish(_ handle: (FramerEvent) -> Void) {
        _ = scanner.scan(pending, policy: .nothing, { handle(.sentence($0)) }, handle)
        reset()
    }
}

/// Determines which sentences are accepted, depending on their checksum.
public enum ChecksumPolicy: CaseIterable, Hashable, Sendable {
    /// The checksum must be present and valid. This is the default.
    case require
    /// The checksum may be missing. If present, it must be valid.
    case acceptMissing
    case ignore
}

/// An element that the framer finds in a byte stream. Every byte except line ends belongs to
/// exactly one event other than `comment`.
package enum FramerEvent: ~Escapable {
    /// A sentence whose checksum satisfies the policy.
    case sentence(RawSentence)
    /// Bytes that start like a sentence but are not valid.
    case rejected(Rejection)
    /// Bytes outside sentences, such as start-up noise or other protocols.
    case junk(count: Int)
    /// A complete binary frame with a valid check value, including its header, and the offset of
    /// its first byte in the stream.
    case frame(BinaryFrame, Span<UInt8>, offset: Int)
    /// A TAG block without its backslashes; `nil` if its checksum is wrong.
    case tagBlock(TagBlock?)
    /// A comment without its line end, whose bytes have been reported as junk; see
    /// `Framer.Options.skipsComments`.
    case comment(Span<UInt8>)
}

/// A binary protocol whose frames the framer recognises between sentences.
public enum BinaryFrame: Hashable, Sendable {
    /// A u-blox frame: `B5 62`, class, id, length.
    case ubx
    /// An RTCM 3 frame: `D3`, length.
    case rtcm3
    /// A log of a NovAtel or Unicore receiver, which is text: `#`, name, fields, CRC.
    case log
}

/// Reports that bytes were rejected as a sentence, and why. A rejection never ends the stream.
public struct Rejection: Hashable, Sendable {
    /// The reason for rejecting a sentence.
    public enum Reason: String, CaseIterable, Hashable, Sendable {
        /// The sentence has no `*hh`, and the policy requires one.
        case noChecksum
        /// The `*` is not followed by two hexadecimal digits.
        case malformedChecksum
        /// The checksum does not match the bytes.
        case badChecksum
        /// The sentence contains a byte outside 0x20 to 0x7E, and no valid checksum before it.
        case nonPrintable
        /// The next sentence or a binary frame starts inside the sentence.
        case truncated
        /// The sentence is longer than the limit.
        case overlong
        /// The sentence has no text between the start character and the checksum, or no address.
        case emptyBody
        /// The address has invalid characters.
        case badAddress
        /// Mandatory fields are missing.
        case tooFewFields
        /// The input ends inside the sentence.
        case unterminated
        /// A GSV sentence is not the next part of its satellite list, because a part is missing or
        /// repeated.
        case gsvIncomplete
    }

    /// The reason for the rejection.
    public var reason: Reason

    /// The offset of the start character in the stream.
    public var offset: Int

    package init(reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

/// The undecoded bytes of a sentence found by a framer.
public struct RawSentence: BitwiseCopyable, ~Escapable {
    /// The bytes from the start character to the end of the buffer. They extend beyond the
    /// sentence, because whole words are loaded.
    let rest: Span<UInt8>
    private let commas: CommaMarks
    /// The number of characters in `text`.
    private let textCount: Int
    /// The number of characters in `body`.
    private let bodyCount: Int
    /// The number of characters in the address.
    private let addressCount: Int

    /// The offset of the start character in the stream.
    public let offset: Int

    /// Whether the next sentence or a binary frame follows without a line end.
    package let isGlued: Bool

    /// Whether other bytes follow the checksum.
    package let hasTrailingJunk: Bool

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
    package var fastFormatter: SentenceFormatter? {
        guard addressCount == 5, !isEncapsulated else { return nil }
        return Address(rest, at: 1, count: 5).fastFormatter
    }

    /// The number of fields after the address.
    package var fieldCount: Int { commas.count }

    /// Whether the start character is `!`, which marks AIS and other encapsulated data.
    @inline(__always)
    package var isEncapsulated: Bool { rest[0] == UInt8(ascii: "!") }

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

/// The result of checking the bytes between a start character and the end of the sentence.
enum SentenceCheck {
    /// The indices at which the parts of an accepted sentence end.
    struct Body {
        var addressEnd: Int
        var end: Int
        var textEnd: Int
        var commas: CommaMarks
    }

    case accepted(Body)
    case rejected(Rejection.Reason)

    /// Checks the sentence in `bytes[start..<found.end]`, which includes the start character.
    ///
    /// If the next sentence follows without a line end, every policy requires a valid checksum,
    /// because nothing else distinguishes a complete sentence from a fragment.
    @inline(__always)
    init(
        _ bytes: Span<UInt8>, start: Int, found: WordScan.Body, isGlued: Bool,
        policy: ChecksumPolicy
    ) {
        let star = found.end &- 3
        let tail = star > start ? WordScan.load(bytes, at: star) & 0xFF_FFFF : 0
        let sum = found.sum ^ WordScan.fold(tail)
        let address = found.commas.low.trailingZeroBitCount
        if tail == Self.checksum(sum), 1..<64 ~= address {
            self = .accepted(
                Body(
                    addressEnd: start &+ 1 &+ address, end: star, textEnd: found.end,
                    commas: found.commas))
            return
        }
        self.init(bytes, start: start, end: found.end, isGlued: isGlued, policy: policy)
    }

    /// Returns `*` and the two upper-case hexadecimal digits of a checksum in one word, with the
    /// first character in the lowest byte.
    @inline(__always)
    private static func checksum(_ sum: UInt8) -> UInt64 {
        func digit(_ value: UInt64) -> UInt64 { value &+ (value > 9 ? 0x37 : 0x30) }
        let high = digit(UInt64(sum >> 4))
        let low = digit(UInt64(sum & 15))
        return UInt64(UInt8(ascii: "*")) | high << 8 | low << 16
    }

    /// Checks a sentence whose checksum is missing, wrong, or not in the usual form.
    @inline(never)
    private init(
        _ bytes: Span<UInt8>, start: Int, end: Int, isGlued: Bool, policy: ChecksumPolicy
    ) {
        let first = start + 1
        let star = Self.lastStar(bytes, from: first, to: end)
        let bodyEnd = star ?? end
        var addressEnd = first
        while addressEnd < bodyEnd, bytes[addressEnd] != UInt8(ascii: ",") { addressEnd += 1 }
        guard addressEnd > first else {
            self = .rejected(.emptyBody)
            return
        }
        let found = WordScan.body(bytes, from: first, to: bodyEnd)
        var body = Body(addressEnd: addressEnd, end: bodyEnd, textEnd: end, commas: found.commas)
        let fault: Rejection.Reason?
        if let star {
            if star + 2 < end, let sum = Hexadecimal.value(bytes[star + 1], bytes[star + 2]) {
                body.textEnd = star + 3
                fault = found.sum == sum ? nil : .badChecksum
            } else {
                fault = .malformedChecksum
            }
        } else {
            fault = .noChecksum
        }
        switch (fault, policy) {
        case (nil, _): self = .accepted(body)
        case (_, _) where isGlued: self = .rejected(.truncated)
        case (_, .ignore), (.noChecksum, .acceptMissing): self = .accepted(body)
        case (let fault?, _): self = .rejected(fault)
        }
    }

    /// Returns the index of the last `*`, because text may contain others. It is nearly always
    /// three bytes before the end.
    private static func lastStar(_ bytes: Span<UInt8>, from first: Int, to end: Int) -> Int? {
        var i = end - 1
        while i >= first {
            if bytes[i] == UInt8(ascii: "*") { return i }
            i -= 1
        }
        return nil
    }
}

/// CRCs of binary frames other than UBX.
package enum FrameChecksum {
    /// The lookup table of CRC-24Q: the CRC of each byte value.
    private static let ofBytes: [UInt32] = (0..<256).map { byte in
        var crc = UInt32(byte) << 16
        for _ in 0..<8 { crc = crc & 0x80_0000 != 0 ? crc << 1 ^ 0x186_4CFB : crc << 1 }
        return crc
    }

    /// Returns the CRC of a log in ASCII after the next byte. `crc` is the CRC of the bytes before
    /// it, from 0.
    static func log(_ crc: UInt32, _ byte: UInt8) -> UInt32 {
        var part = (crc ^ UInt32(byte)) & 0xFF
        for _ in 0..<8 { part = part & 1 != 0 ? part >> 1 ^ 0xEDB8_8320 : part >> 1 }
        return crc >> 8 ^ part
    }

    /// Returns the CRC-24Q of an RTCM 3 frame. `bytes` are all bytes of the frame before the CRC.
    package static func rtcm3(_ bytes: Span<UInt8>) -> UInt32 {
        let ofBytes = ofBytes
        var crc: UInt32 = 0
        for i in bytes.indices {
            crc = (crc << 8 & 0xFF_FFFF) ^ ofBytes[Int(crc >> 16 ^ UInt32(bytes[i]))]
        }
        return crc
    }
}

extension BinaryFrame {
    /// The result of checking for a binary frame at an index.
    package enum Recognition {
        case frame(BinaryFrame, count: Int)
        /// Bytes that may be the beginning of a frame. More bytes are needed.
        case incomplete
        case none
    }

    /// Checks whether a complete frame with a valid checksum or CRC begins at `start`. `checksums`
    /// must belong to the same buffer.
    package static func recognise(
        _ bytes: Span<UInt8>, at start: Int, _ checksums: inout UBXChecksums
    ) -> Recognition {
        bytes[start] == 0xB5 ? ubx(bytes, start, &checksums) : rtcm3(bytes, start)
    }

    private static func ubx(
        _ bytes: Span<UInt8>, _ start: Int, _ checksums: inout UBXChecksums
    ) -> Recognition {
        switch UBXFrame.recognise(bytes, at: start, &checksums) {
        case .frame(let count): .frame(.ubx, count: count)
        case .incomplete: .incomplete
        case .none: .none
        }
    }

    private static func rtcm3(_ bytes: Span<UInt8>, _ start: Int) -> Recognition {
        let available = bytes.count - start
        guard available > 1 else { return .incomplete }
        guard bytes[start + 1] & 0xFC == 0 else { return .none }
        guard available > 2 else { return .incomplete }
        let length = Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
        guard available >= length + 6 else { return .incomplete }
        let end = start + 3 + length
        let crc = FrameChecksum.rtcm3(bytes.extracting(start..<end))
        let sent = UInt32(bytes[end]) << 16 | UInt32(bytes[end + 1]) << 8 | UInt32(bytes[end + 2])
        return crc == sent ? .frame(.rtcm3, count: length + 6) : .none
    }
}

/// Finds the UBX frames in a stream, for messages that are not part of an epoch. A stream of sentences
/// costs only the search for a byte with which a frame could begin.
package struct UBXFrameFinder: Sendable {
    /// `nil` before the first such byte.
    private var framer: Framer?

    package init() {}

    /// Whether the stream contained a byte with which a frame could begin.
    package var isActive: Bool { framer != nil }

    /// Adds the next bytes of the stream. Passes each frame that is complete with them to `body`.
    package mutating func push(_ bytes: [UInt8], _ body: (borrowing UBXFrame) -> Void) {
        guard framer != nil || bytes.contains(0xB5) else { return }
        // The framer's buffer is not shared with a copy while it grows.
        var framer = exchange(&self.framer, with: nil) ?? Framer()
        framer.push(bytes.span) { event in
            guard case .frame(.ubx, let bytes, _) = event else { return }
            body(UBXFrame(recognised: bytes))
        }
        self.framer = framer
    }
}
