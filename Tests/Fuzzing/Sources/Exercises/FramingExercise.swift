// SPDX-License-Identifier: MIT
import GNSS
import NMEA
import UBX

extension Exercise {
    /// Any chunking of the bytes produces the same events and counts, and every sentence has a
    /// correct checksum and position.
    package static let framing = Exercise(name: "framing") { input throws(Broken) in
        var source = ByteSource(input)
        var options = Framer.Options()
        let control = source.byte()
        options.checksum = ChecksumPolicy.allCases[Int(control) % 3]
        if control >= 0x80 { options.maximumLength = 8 + source.number(below: 128) }
        let sizes = (0..<6).map { _ in source.number(below: 100) }
        let bytes = source.rest

        let whole = DecodedStream([bytes[...]], options)
        try whole.checkSums()
        let split = DecodedStream(pieces(bytes, sizes), options)
        try expect(whole == split, "pieces of \(sizes) differ")
        if bytes.count <= 1500 {
            try expect(whole == DecodedStream(pieces(bytes, [1]), options), "byte by byte differs")
        }
        let stream = FramedStream([bytes[...]], options)
        try stream.check(bytes, options)
        try checkSilences(stream, pieces(bytes, sizes), options)
        try checkPolicies(bytes, options)
    }

    /// Splits bytes into pieces of these sizes, in rotation.
    static func pieces(_ bytes: [UInt8], _ sizes: [Int]) -> [ArraySlice<UInt8>] {
        guard sizes.contains(where: { $0 > 0 }) else { return [bytes[...]] }
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + sizes[pieces.count % sizes.count])
            pieces.append(bytes[start..<end])
            start = end
        }
        return pieces
    }

    /// Checks that a silence within a frame loses no sentence.
    private static func checkSilences(
        _ stream: FramedStream, _ pieces: [ArraySlice<UInt8>], _ options: Framer.Options
    ) throws(Broken) {
        let found = Set(
            FramedStream(pieces, options, isSilentBetween: true).sentences.map(\.offset))
        let lost = stream.sentences.first { !found.contains($0.offset) }
        try expect(lost == nil, "lost by silence: \(lost as Any)")
    }

    /// A looser policy accepts everything that a strict one accepts, and divides the stream in the same way.
    private static func checkPolicies(
        _ bytes: [UInt8], _ options: Framer.Options
    ) throws(Broken) {
        var streams: [FramedStream] = []
        for policy in [ChecksumPolicy.require, .acceptMissing, .ignore] {
            var options = options
            options.checksum = policy
            streams.append(FramedStream([bytes[...]], options))
        }
        for (strict, loose) in zip(streams, streams.dropFirst()) {
            try expect(strict.starts == loose.starts, "policies part the stream differently")
            let lost = Set(strict.sentences.map(\.offset)).subtracting(
                loose.sentences.map(\.offset))
            try expect(lost.isEmpty, "a looser policy loses the sentences at \(lost)")
        }
    }
}

/// The events into which a framer splits a stream.
struct FramedStream {
    struct Sentence {
        var offset: Int
        var text: [UInt8]
        var isGlued: Bool
        var hasTrailingJunk: Bool
    }

    var sentences: [Sentence] = []
    /// Where sentences and rejections begin.
    var starts: [Int] = []
    private var rejected = 0
    private var junk = 0
    private var binary = 0
    private var tagBlocks = 0

    init(
        _ pieces: [ArraySlice<UInt8>], _ options: Framer.Options, isSilentBetween: Bool = false
    ) {
        var framer = Framer(options: options)
        for piece in pieces {
            framer.push(Array(piece).span) { note($0) }
            if isSilentBetween { framer.silence { note($0) } }
        }
        framer.finish { note($0) }
    }

    private mutating func note(_ event: FramerEvent) {
        switch event {
        case .sentence(let raw):
            starts.append(raw.offset)
            sentences.append(
                Sentence(
                    offset: raw.offset, text: raw.bytes, isGlued: raw.isGlued,
                    hasTrailingJunk: raw.hasTrailingJunk))
        case .rejected(let rejection):
            starts.append(rejection.offset)
            rejected += 1
        case .junk(let count): junk += count
        case .frame(_, let bytes, _): binary += bytes.count
        case .tagBlock: tagBlocks += 1
        case .comment: break
        }
    }

    /// Checks that sentences are at their offsets, in order, and that every byte belongs to exactly
    /// one event.
    func check(_ bytes: [UInt8], _ options: Framer.Options) throws(Broken) {
        for (one, next) in zip(starts, starts.dropFirst()) {
            try expect(one < next, "\(one) before \(next)")
        }
        for sentence in sentences { try check(sentence, bytes, options) }
        let inSentences = sentences.reduce(0) { $0 + $1.text.count }
        // A rejected sentence has at least one byte, a TAG block three.
        let counted = inSentences + junk + binary + rejected + 3 * tagBlocks
        try expect(counted <= bytes.count, "\(counted) bytes counted of \(bytes.count)")
        let isExact =
            rejected + tagBlocks + binary == 0 && !sentences.contains { $0.hasTrailingJunk }
        guard isExact else { return }
        let lineEnds = bytes.count { $0 == 0x0A || $0 == 0x0D }
        try expect(counted + lineEnds == bytes.count, "\(counted) bytes, \(lineEnds) line ends")
    }

    private func check(
        _ sentence: Sentence, _ bytes: [UInt8], _ options: Framer.Options
    ) throws(Broken) {
        let text = sentence.text
        let end = sentence.offset + text.count
        guard end <= bytes.count, bytes[sentence.offset..<end].elementsEqual(text) else {
            throw Broken("the sentence at \(sentence.offset) is elsewhere")
        }
        let isPlain = text.dropFirst().allSatisfy {
            0x20...0x7E ~= $0 && $0 != UInt8(ascii: "$") && $0 != UInt8(ascii: "!")
        }
        try expect(isPlain && text.count <= options.maximumLength, "no sentence: \(text)")
        guard options.checksum == .require || sentence.isGlued else { return }
        let sum = text.dropFirst().dropLast(3).reduce(0, ^)
        let reported = UInt8(String(decoding: text.suffix(2), as: UTF8.self), radix: 16)
        try expect(text.suffix(3).first == UInt8(ascii: "*"), "no checksum: \(text)")
        try expect(reported == sum, "a wrong checksum: \(text)")
    }
}

/// All results of decoding a stream, and the conditions that hold for any stream.
struct DecodedStream: Equatable {
    enum Event: Equatable {
        case sentence([UInt8], offset: Int)
        case rejected(Rejection)
        case tagBlock(TagBlock)
        case fix(Fix)
        case satellites(SatelliteView)
        case ubx(UBXMessageID, [UInt8])
    }

    var events: [Event] = []
    var statistics = Statistics()

    /// Decodes pieces one after the other, then the end of the input.
    init(_ pieces: [ArraySlice<UInt8>], _ options: Framer.Options) {
        var decoder = NMEADecoder(options: options)
        for piece in pieces { decoder.push(Array(piece).span) { note($0) } }
        decoder.finish { note($0) }
        statistics = decoder.statistics
    }

    private mutating func note(_ event: DecoderEvent) {
        switch event {
        case .sentence(let raw): events.append(.sentence(raw.bytes, offset: raw.offset))
        case .rejected(let rejection): events.append(.rejected(rejection))
        case .tagBlock(let block): events.append(.tagBlock(block))
        case .fix(let fix, _): events.append(.fix(fix))
        case .satellites(let view): events.append(.satellites(view))
        case .ubx(let frame):
            let payload = frame.payload
            events.append(.ubx(frame.id, payload.indices.map { payload[$0] }))
        }
    }

    /// Checks that every sentence and every rejection is counted once, and that all values are
    /// valid.
    func checkSums() throws(Broken) {
        var sentences = 0
        var rejections: [Rejection.Reason: Int] = [:]
        for event in events {
            switch event {
            case .sentence: sentences += 1
            case .rejected(let rejection): rejections[rejection.reason, default: 0] += 1
            case .fix(let fix): try fix.check()
            case .satellites(let view): try view.check()
            case .tagBlock, .ubx: break
            }
        }
        let misunderstood: [Rejection.Reason] = [.tooFewFields, .badAddress, .gsvIncomplete]
        let refused = misunderstood.reduce(0) { $0 + (rejections[$1] ?? 0) }
        try expect(
            sentences == statistics.valid - statistics.ubxDecoded + refused,
            "\(sentences) sentences, \(statistics.valid) valid and \(refused) refused")
        // A list that another one interrupts is counted without a sentence being rejected.
        for reason in Rejection.Reason.allCases where reason != .gsvIncomplete {
            try expect(
                statistics[reason] == rejections[reason] ?? 0, "\(reason) is counted wrongly")
        }
    }
}

extension Fix {
    /// Checks conditions that hold for every fix.
    func check() throws(Broken) {
        try expect(coordinate?.isValid ?? true, "\(coordinate as Any) is not a place")
        try expect((mode == .noFix) == (coordinate == nil), "\(mode) with \(coordinate as Any)")
        try expect(time == nil || time?.time == timeOfDay, "\(time as Any) is another time of day")
        try expect((course ?? 0) >= 0 && (course ?? 0) < 360, "course \(course as Any)")
        try expect((speed ?? 0) >= 0, "speed \(speed as Any)")
        let numbers = [
            altitude, ellipsoidalAltitude, speed, accuracy.horizontal, accuracy.vertical,
        ]
        for case let number? in numbers {
            try expect(number.isFinite, "\(number) in \(self)")
        }
    }
}

extension SatelliteView {
    /// Checks conditions that hold for every view.
    func check() throws(Broken) {
        for (one, next) in zip(signals, signals.dropFirst()) {
            let isOrdered = (one.id, one.signal) < (next.id, next.signal)
            try expect(isOrdered, "\(one.id) \(one.signal) before \(next.id) \(next.signal)")
        }
        for signal in signals {
            try expect(abs(signal.elevation ?? 0) <= 90, "\(signal)")
            try expect(0..<360 ~= signal.azimuth ?? 0, "\(signal)")
        }
    }
}
