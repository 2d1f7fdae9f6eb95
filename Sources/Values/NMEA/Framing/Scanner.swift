// SPDX-License-Identifier: MIT
import CGPSLanes
import UBX

/// Scans a buffer, and reports the sentences, binary frames, TAG blocks and other bytes in it.
struct Scanner: Sendable {
    var options: Framer.Options
    /// The stream offset of the next byte to scan.
    private(set) var offset = 0
    /// Whether the remaining bytes of a rejected sentence, or the bytes after a checksum, are being
    /// skipped. They are not counted as junk.
    private var isDiscarding = false
    /// Whether the next byte to scan begins a line.
    private var isAtLineStart = true
    /// The UBX checksums of the buffer that is being scanned.
    private var checksums = UBXChecksums()

    init(options: Framer.Options) {
        self.options = options
    }

    /// Stops skipping the rest of a rejected sentence, so that the next byte may begin any element.
    mutating func reset() {
        (isDiscarding, isAtLineStart) = (false, true)
    }

    /// Returns whether the same bytes produce the same events from both scanners. Stream offsets
    /// are ignored.
    func hasSameState(with other: Scanner) -> Bool {
        options == other.options && isDiscarding == other.isDiscarding
            && isAtLineStart == other.isAtLineStart
    }

    /// Determines which incomplete sentences and frames are kept until more input is received.
    enum EndOfInputPolicy {
        case everything
        /// For a line that has been silent. A sentence that ends with a valid checksum is complete:
        /// some programs send datagrams without line ends. Another sentence is kept, because a
        /// person may type it. A binary frame is kept, because a network or a stopped process may
        /// delay the rest of it. But a frame is not kept if a complete sentence or frame begins
        /// after its header: then the header is probably noise.
        case silence
        case nothing
    }

    /// Scans as much of an array as possible. It takes an array rather than a span, because the
    /// span of a stored array would prevent changes to the array's owner.
    @inline(never)
    mutating func scan(
        _ bytes: [UInt8], policy: EndOfInputPolicy = .everything, _ take: (RawSentence) -> Void,
        _ handle: (FramerEvent) -> Void
    ) -> Int {
        scan(bytes.span, policy: policy, take, handle)
    }

    /// Scans as much of `bytes` as possible. Returns the number of bytes consumed.
    ///
    /// `take` receives the sentences and `handle` all other events. The function is inlined so that
    /// the compiler knows `take` and does not copy the sentences.
    @inline(__always)
    mutating func scan(
        _ bytes: Span<UInt8>, policy: EndOfInputPolicy, _ take: (RawSentence) -> Void,
        _ handle: (FramerEvent) -> Void
    ) -> Int {
        var position = 0
        var junk = 0
        var lastMessage: Int?
        checksums.reset()
        func flushJunk() {
            if junk > 0 { handle(.junk(count: junk)) }
            junk = 0
        }
        func report(_ kind: BinaryFrame, _ count: Int) {
            let frame = bytes.extracting(position..<position + count)
            handle(.frame(kind, frame, offset: offset &+ position))
        }
        loop: while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "$"), UInt8(ascii: "!"):
                flushJunk()
                isDiscarding = false
                guard let end = sentence(bytes, at: position, policy: policy, take, handle) else {
                    break loop
                }
                position = end
            case 0x0A, 0x0D:
                isDiscarding = false
                position += 1
            case 0xB5, 0xD3:
                switch BinaryFrame.recognise(bytes, at: position, &checksums) {
                case .frame(let kind, let count):
                    flushJunk()
                    isDiscarding = false
                    report(kind, count)
                    position += count
                case .incomplete where policy == .everything:
                    break loop
                case .incomplete
                where policy == .silence && mayContinue(bytes, position, &lastMessage):
                    break loop
                case .incomplete, .none:
                    if !isDiscarding { junk += 1 }
                    position += 1
                }
            case UInt8(ascii: "\\") where !isDiscarding:
                switch TagBlock.recognise(bytes, at: position) {
                case .block(let block, let count):
                    flushJunk()
                    handle(.tagBlock(block))
                    position += count
                case .incomplete where policy != .nothing:
                    break loop
                case .incomplete, .none:
                    junk += 1
                    position += 1
                }
            case UInt8(ascii: "#"):
                switch ReceiverLog.recognise(bytes, at: position) {
                case .log(let count):
                    flushJunk()
                    isDiscarding = false
                    report(.log, count)
                    position += count
                    continue
                case .incomplete where policy == .everything: break loop
                case .incomplete, .none: break
                }
                guard options.skipsComments else {
                    if !isDiscarding { junk += 1 }
                    position += 1
                    continue
                }
                guard let end = endOfComment(bytes, at: position, policy: policy) else {
                    break loop
                }
                if !isDiscarding { junk += end - position }
                if end > position + 1, end < bytes.count {
                    flushJunk()
                    handle(.comment(bytes.extracting(position..<end)))
                }
                position = end
            default:
                if !isDiscarding { junk += 1 }
                position += 1
            }
        }
        flushJunk()
        if position > 0 { isAtLineStart = Self.isLineEnd(bytes[position - 1]) }
        offset += position
        return position
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// The maximum length of a comment in bytes.
    private static let maximumComment = 1024

    /// Returns the index after the comment at `start`: a line that begins with a number sign and
    /// consists of printable characters in UTF-8. Without a comment, returns the index after the
    /// number sign. Returns `nil` to wait for more bytes.
    ///
    /// NovAtel's and Unicore's logs, which begin with a capital letter, are not comments: if their
    /// line end is lost, a sentence may follow on the same line.
    @inline(never)
    private func endOfComment(
        _ bytes: Span<UInt8>, at start: Int, policy: EndOfInputPolicy
    ) -> Int? {
        let first = start + 1
        guard start > 0 ? Self.isLineEnd(bytes[start - 1]) : isAtLineStart else { return first }
        if first < bytes.count, 0x41...0x5A ~= bytes[first] { return first }
        let limit = start + Self.maximumComment
        var end = first
        /// The number of bytes that the current character still needs.
        var missing = 0
        while end < bytes.count, end < limit {
            if missing == 0, end <= limit - 8, WordScan.isPrintable(WordScan.load(bytes, at: end)) {
                end += 8
                continue
            }
            if missing > 0 {
                guard 0x80...0xBF ~= bytes[end] else { break }
                missing -= 1
            } else if let length = Self.characterLength(bytes[end]) {
                missing = length - 1
            } else {
                break
            }
            end += 1
        }
        guard end < bytes.count else { return policy == .nothing ? end : nil }
        return missing == 0 && Self.isLineEnd(bytes[end]) ? end : first
    }

    /// Returns the number of bytes in UTF-8 of the printable character that begins with a byte;
    /// `nil` if none begins with it.
    private static func characterLength(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x09, 0x20...0x7E: 1
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: nil
        }
    }

    /// Returns whether the incomplete frame at `start` is kept after a silence: no complete
    /// sentence or frame begins after its header. `lastMessage` stores the index at which the last
    /// one begins, for the other frames of the same buffer; `nil` if it is not known yet.
    @inline(never)
    private func mayContinue(
        _ bytes: Span<UInt8>, _ start: Int, _ lastMessage: inout Int?
    ) -> Bool {
        let last = lastMessage ?? self.lastMessage(bytes, after: start)
        lastMessage = last
        return start >= last
    }

    /// Returns the index at which the last complete sentence or binary frame after `start` begins;
    /// `start` if there is none.
    private func lastMessage(_ bytes: Span<UInt8>, after start: Int) -> Int {
        var checksums = UBXChecksums()
        var last = start
        var position = start + 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "$"), UInt8(ascii: "!"):
                let found = WordScan.body(bytes, from: position + 1)
                let hasLineEnd =
                    found.end < bytes.count
                    && (bytes[found.end] == 0x0D || bytes[found.end] == 0x0A)
                if case .accepted = check(bytes, position, found, isGlued: !hasLineEnd) {
                    last = position
                }
                position += 1
            case 0xB5, 0xD3:
                if case .frame(_, let count) = BinaryFrame.recognise(
                    bytes, at: position, &checksums)
                {
                    last = position
                    position += count
                } else {
                    position += 1
                }
            default: position += 1
            }
        }
        return last
    }

    /// Handles the sentence at `start`. Returns the index at which to continue, or `nil` to wait
    /// for more bytes.
    @inline(__always)
    private mutating func sentence(
        _ bytes: Span<UInt8>, at start: Int, policy: EndOfInputPolicy,
        _ take: (RawSentence) -> Void,
        _ handle: (FramerEvent) -> Void
    ) -> Int? {
        // Every sentence without a line end takes the slow path.
        guard let found = WordScan.fastPathBody(bytes, from: start + 1),
            found.end &- start <= options.maximumLength,
            bytes[found.end] == 0x0D || bytes[found.end] == 0x0A
        else { return slowPath(bytes, start, policy: policy, take, handle) }
        finish(bytes, start, found, isGlued: false, take, handle)
        return Self.endOfLine(bytes, found.end)
    }

    /// Returns the index after the line end (CR, LF or CR LF) that begins at `end`.
    @inline(__always)
    private static func endOfLine(_ bytes: Span<UInt8>, _ end: Int) -> Int {
        let next = end &+ 1
        // The usual line end is CR LF.
        return next < bytes.count && bytes[next] == 0x0A ? next &+ 1 : next
    }

    /// Handles a sentence that has no line end, is too long or contains rare characters. Returns
    /// the same as `sentence`: the index at which to continue, or `nil`.
    @inline(never)
    private mutating func slowPath(
        _ bytes: Span<UInt8>, _ start: Int, policy: EndOfInputPolicy,
        _ take: (RawSentence) -> Void, _ handle: (FramerEvent) -> Void
    ) -> Int? {
        let found = WordScan.body(bytes, from: start + 1)
        let limit = start + options.maximumLength
        let end = found.end
        guard end <= limit else {
            reject(.overlong, at: start, handle)
            isDiscarding = true
            return limit
        }
        guard end < bytes.count else {
            guard policy != .everything else { return nil }
            // The input ends here, so only a valid checksum shows that the sentence is complete.
            switch check(bytes, start, found, isGlued: true) {
            case .accepted(let body): emit(bytes, start, end, body, isGlued: false, take)
            case .rejected where policy == .silence: return nil
            case .rejected(.emptyBody): reject(.emptyBody, at: start, handle)
            case .rejected: reject(.unterminated, at: start, handle)
            }
            return end
        }
        switch bytes[end] {
        case 0x0D, 0x0A:
            finish(bytes, start, found, isGlued: false, take, handle)
            return Self.endOfLine(bytes, end)
        case UInt8(ascii: "$"), UInt8(ascii: "!"):
            finish(bytes, start, found, isGlued: true, take, handle)
            return end
        case 0xB5, 0xD3:
            switch BinaryFrame.recognise(bytes, at: end, &checksums) {
            case .incomplete where policy == .everything:
                return nil
            case .frame,
                .incomplete where policy == .silence:
                finish(bytes, start, found, isGlued: true, take, handle)
                return end
            case .incomplete, .none:
                break
            }
        default:
            break
        }
        // Text after the checksum is ignored, whatever its bytes are.
        if case .accepted(let body) = check(bytes, start, found, isGlued: true) {
            emit(bytes, start, end + 1, body, isGlued: false, take)
        } else {
            reject(.nonPrintable, at: start, handle)
        }
        isDiscarding = true
        return end + 1
    }

    @inline(__always)
    private func finish(
        _ bytes: Span<UInt8>, _ start: Int, _ found: WordScan.Body, isGlued: Bool,
        _ take: (RawSentence) -> Void, _ handle: (FramerEvent) -> Void
    ) {
        switch check(bytes, start, found, isGlued: isGlued) {
        case .accepted(let body): emit(bytes, start, found.end, body, isGlued: isGlued, take)
        case .rejected(let reason): reject(reason, at: start, handle)
        }
    }

    private func reject(
        _ reason: Rejection.Reason, at start: Int, _ handle: (FramerEvent) -> Void
    ) {
        handle(.rejected(Rejection(reason: reason, offset: offset + start)))
    }

    @inline(__always)
    private func emit(
        _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ body: SentenceCheck.Body, isGlued: Bool,
        _ take: (RawSentence) -> Void
    ) {
        take(
            RawSentence(
                bytes, start: start, parts: body, offset: offset &+ start, isGlued: isGlued,
                hasTrailingJunk: body.textEnd < end))
    }

    @inline(__always)
    private func check(
        _ bytes: Span<UInt8>, _ start: Int, _ found: WordScan.Body, isGlued: Bool
    ) -> SentenceCheck {
        SentenceCheck(
            bytes, start: start, found: found, isGlued: isGlued, policy: options.checksum)
    }
}

/// Scans the bytes of a sentence several at a time: sixteen to find its end, and eight to find its
/// fields. Loads are checked against the bounds of the span.
enum WordScan {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// The result of scanning for the end of a sentence.
    struct Body {
        /// The first index whose byte is not valid in a sentence's body.
        var end: Int
        /// The XOR of the bytes before `end`.
        var sum: UInt8 = 0
        /// The marks of the commas before `end`.
        var commas = CommaMarks()
    }

    /// Returns the eight bytes from an index, with the first in the lowest byte. Bytes after the
    /// end of the span are zero.
    @inline(__always)
    static func load(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
        guard index >= 0, index <= bytes.count &- 8 else { return loadLast(bytes, from: index) }
        // Safety: the eight bytes are within bounds, as checked above.
        let word = unsafe bytes.bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: index, as: UInt64.self)
        return UInt64(littleEndian: word)
    }

    /// Returns whether each of eight bytes is 0x20 to 0x7E.
    @inline(__always)
    static func isPrintable(_ word: UInt64) -> Bool {
        // A byte below 0x20 borrows from its high bit, and 0x7F carries into it.
        (word | (word &+ ones) | (word &- 0x20 &* ones)) & highs == 0
    }

    /// Returns the sixteen bytes from an index; see `load`.
    @inline(__always)
    private static func loadPair(_ bytes: Span<UInt8>, at index: Int) -> SIMD2<UInt64> {
        guard index >= 0, index <= bytes.count &- 16 else {
            return loadLastPair(bytes, from: index)
        }
        // Safety: the sixteen bytes are within bounds, as checked above.
        return unsafe bytes.bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: index, as: SIMD2<UInt64>.self)
    }

    @inline(never)
    private static func loadLastPair(_ bytes: Span<UInt8>, from index: Int) -> SIMD2<UInt64> {
        SIMD2(loadLast(bytes, from: index), loadLast(bytes, from: index &+ 8))
    }

    @inline(never)
    private static func loadLast(_ bytes: Span<UInt8>, from start: Int) -> UInt64 {
        var word: UInt64 = 0
        var i = min(start &+ 8, bytes.count)
        while i > start {
            i -= 1
            word = word << 8 | UInt64(bytes[i])
        }
        return word
    }

    /// Scans the body of a sentence of at most the standard length. Returns `nil` if the body is
    /// longer, or if fewer than 80 bytes are available.
    ///
    /// If the byte at the `end` of the returned body is not a line end, it may be a rare but valid
    /// character. The sentence's body may then continue after it.
    @inline(__always)
    static func fastPathBody(_ bytes: Span<UInt8>, from start: Int) -> Body? {
        // The 82 characters of the standard include `$`, CR and LF, so 79 and the line end remain.
        guard start <= bytes.count &- 80, start >= 0 else { return nil }
        let raw = bytes.bytes
        var pair = SIMD2<UInt64>()
        var folded = SIMD2<UInt64>()
        var counted = SIMD2<UInt64>()
        var marks: UInt64 = 0
        var passed = 0
        @inline(__always)
        func delimiterMask(_ piece: Int) -> UInt32 {
            // Safety: piece is 0 to 4, and eighty bytes are within bounds, as checked above.
            pair = unsafe raw.unsafeLoadUnaligned(
                fromUncheckedByteOffset: start &+ 16 &* piece, as: SIMD2<UInt64>.self)
            return clanes_delimiters(pair)
        }
        @inline(__always)
        func pass(_ piece: Int) {
            passed = 16 &* (piece &+ 1)
            folded ^= pair
            counted = clanes_count(counted, pair)
            marks |= UInt64(clanes_commas(pair)) << UInt64(16 &* piece)
        }
        var ending = delimiterMask(0)
        for piece in 0..<4 where ending == 0 {
            pass(piece)
            ending = delimiterMask(piece &+ 1)
        }
        guard ending != 0 else { return nil }
        let count = ending.trailingZeroBitCount
        pair = clanes_first(pair, UInt8(truncatingIfNeeded: count))
        folded ^= pair
        counted = clanes_count(counted, pair)
        let last = UInt64(clanes_commas(pair))
        var body = Body(end: start &+ passed &+ count)
        body.commas =
            passed == 64
            ? CommaMarks(low: marks, high: last)
            : CommaMarks(low: marks | last &<< UInt64(passed), high: 0)
        body.commas.count = Int(clanes_sum(counted))
        body.sum = fold(folded[0] ^ folded[1])
        return body
    }

    /// Scans a sentence's body from `start`, two words at a time.
    @inline(never)
    static func body(_ bytes: Span<UInt8>, from start: Int) -> Body {
        var body = Body(end: start)
        var folded = SIMD2<UInt64>()
        while true {
            // After the last byte, zeros are loaded, which also end the body.
            var pair = loadPair(bytes, at: body.end)
            let nonPrintable = clanes_non_printable(pair)
            let count = nonPrintable == 0 ? 16 : nonPrintable.trailingZeroBitCount
            if nonPrintable != 0 { pair = clanes_first(pair, UInt8(truncatingIfNeeded: count)) }
            folded ^= pair
            body.commas.add(UInt64(clanes_commas(pair)), at: body.end &- start)
            body.end &+= count
            guard nonPrintable == 0 else { break }
        }
        body.sum = fold(folded[0] ^ folded[1])
        return body
    }

    /// See `Framer.endOfBody(_:from:)`.
    static func endOfBody(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            let nonPrintable = clanes_non_printable(loadPair(bytes, at: index))
            if nonPrintable != 0 {
                return min(bytes.count, index &+ nonPrintable.trailingZeroBitCount)
            }
            index &+= 16
        }
        return bytes.count
    }

    /// Returns the body from `start` to `end`, even if it contains bytes that usually end a body.
    static func body(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Body {
        var body = Body(end: end)
        for i in start..<end {
            body.sum ^= bytes[i]
            if bytes[i] == UInt8(ascii: ",") { body.commas.add(1, at: i - start) }
        }
        return body
    }

    /// Returns one bit for each of the 64 bytes from `start`, set for commas before `end`.
    static func commas(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> UInt64 {
        var marks: UInt64 = 0
        for i in start..<max(start, min(start + 64, end)) where bytes[i] == UInt8(ascii: ",") {
            marks |= 1 << UInt64(i - start)
        }
        return marks
    }

    /// Returns a mask in which all bits of the first `count` bytes are set. `count` is 0 to 7.
    @inline(__always)
    static func first(_ count: Int) -> UInt64 {
        (1 &<< UInt64(truncatingIfNeeded: 8 &* count)) &- 1
    }

    /// Returns the index of the first byte in a word that equals `byte`; 8 if there is none.
    @inline(__always)
    static func first(_ byte: UInt8, in word: UInt64) -> Int {
        zeros(word ^ UInt64(byte) &* ones).trailingZeroBitCount / 8
    }

    /// Returns the XOR of the bytes of a word.
    @inline(__always)
    static func fold(_ word: UInt64) -> UInt8 {
        let half = word ^ word >> 32
        let quarter = half ^ half >> 16
        return UInt8(truncatingIfNeeded: quarter ^ quarter >> 8)
    }

    /// Returns a word with the high bit of each zero byte set. Bytes above a zero byte may also be
    /// marked.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }
}

/// The positions of the commas in the first 128 characters of a sentence's body, one bit for each
/// character, and the number of all commas.
struct CommaMarks: BitwiseCopyable, Sendable {
    /// The bits of the first 64 characters; the first character has the lowest bit.
    var low: UInt64 = 0
    /// The bits of the next 64 characters.
    var high: UInt64 = 0
    var count = 0

    /// Adds the comma bits of the 64 characters that start at an index of the body.
    @inline(__always)
    mutating func add(_ marks: UInt64, at index: Int) {
        low |= marks << index
        high |= marks << (index &- 64)
        count &+= marks.nonzeroBitCount
    }
}
