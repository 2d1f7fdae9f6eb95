// SPDX-License-Identifier: MIT

/// Sentence types by formatter: a small open-addressing table that is read once per sentence. With a
/// dictionary decode + fix takes 5.5 % more instructions.
struct SentenceTable: Sendable {
    struct Slot {
        var key: UInt32
        var minimumFieldCount: Int
        var type: any Sentence.Type

        init(_ type: any Sentence.Type) {
            key = type.formatter.key
            minimumFieldCount = type.minimumFieldCount
            self.type = type
        }
    }

    /// That of `knownSentences`, made once for all decoders.
    static let known = SentenceTable(knownSentences)

    private var slots: [Slot?]
    private var count = 0
    /// Few, and not sent often: they are looked through.
    private var proprietary: [any Sentence.Type] = []

    init(_ types: [any Sentence.Type]) {
        slots = Array(repeating: nil, count: 64)
        for type in types { insert(type) }
    }

    /// Adds a type; it takes the place of an earlier one with the same formatter.
    mutating func insert(_ type: any Sentence.Type) {
        guard type.formatter.proprietary == nil else {
            proprietary.removeAll { $0.formatter == type.formatter }
            return proprietary.append(type)
        }
        if (count + 1) * 4 > slots.count { grow() }
        let index = index(of: type.formatter.key)
        if slots[index] == nil { count += 1 }
        slots[index] = Slot(type)
    }

    @inline(__always)
    subscript(formatter: SentenceFormatter) -> Slot? {
        slots[index(of: formatter.key)]
    }

    /// The type that reads a sentence.
    func type(of sentence: RawSentence) -> (any Sentence.Type)? {
        switch sentence.address.kind {
        case _ where sentence.isEncapsulated: nil
        case .standard(let formatter): self[formatter]?.type
        case .proprietary: proprietary(sentence.body)
        default: nil
        }
    }

    /// The type whose formatter takes the most of a proprietary sentence's body.
    func proprietary(_ body: Span<UInt8>) -> (any Sentence.Type)? {
        var best: (type: any Sentence.Type, length: Int)?
        for type in proprietary {
            guard let length = type.formatter.proprietaryPrefix(of: body) else { continue }
            if length > best?.length ?? 0 { best = (type, length) }
        }
        return best?.type
    }

    /// Where the key stands, or would stand.
    @inline(__always)
    private func index(of key: UInt32) -> Int {
        let mask = slots.count - 1
        // A factor with which none of our own types meets another.
        var index = Int((key &* 0xC067_24F3) >> 20) & mask
        while let slot = slots[index], slot.key != key { index = (index + 1) & mask }
        return index
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: nil, count: old.count * 2)
        for slot in old.compactMap(\.self) { slots[index(of: slot.key)] = slot }
    }
}
