// SPDX-License-Identifier: MIT

/// What goes wrong with whole sentences.
enum SentenceFaults {
    static func apply(
        _ fault: Fault, _ sentences: inout [[UInt8]], _ random: inout SeededGenerator
    ) {
        var result: [[UInt8]] = []
        for sentence in sentences {
            guard isConcerned(fault.kind), random.happens(fault.probability) else {
                result.append(sentence)
                continue
            }
            switch fault.kind {
            case .badChecksums: result.append(withBadChecksum(sentence, &random))
            case .cutSentences:
                // Before the star: what has its checksum would be whole.
                let star = sentence.lastIndex(of: UInt8(ascii: "*")) ?? sentence.count
                result.append(Array(sentence.prefix(1 + random.below(star - 1))))
            case .gluedSentences:
                result.append(Array(sentence.dropLast(2)))
            case .binaryFrames(let kind):
                result += [sentence, BinaryFrameMaker.frame(kind, &random)]
            case .cutBinaryFrames(let kind):
                let frame = BinaryFrameMaker.frame(kind, &random)
                result += [sentence, Array(frame.prefix(2 + random.below(frame.count - 2)))]
            default: result.append(sentence)
            }
        }
        sentences = result
    }

    private static func isConcerned(_ kind: Fault.Kind) -> Bool {
        switch kind {
        case .badChecksums, .cutSentences, .gluedSentences, .binaryFrames, .cutBinaryFrames: true
        default: false
        }
    }

    private static func withBadChecksum(
        _ sentence: [UInt8], _ random: inout SeededGenerator
    ) -> [UInt8] {
        var sentence = sentence
        guard let star = sentence.lastIndex(of: UInt8(ascii: "*")), star + 2 < sentence.count else {
            return sentence
        }
        // Another last digit is certainly wrong.
        let digits = (0..<16).map { WireWriter.hexDigit(UInt8($0)) }
        let right = digits.firstIndex(of: sentence[star + 2]) ?? 0
        sentence[star + 2] = digits[(right + 1 + random.below(15)) % 16]
        return sentence
    }
}
