// SPDX-License-Identifier: MIT
import NMEA

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
        case .frame(_, let bytes): binary += bytes.count
        case .tagBlock: tagBlocks += 1
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
