// SPDX-License-Identifier: MIT

/// How often each sentence has occurred in the epoch under way: its n-th occurrence is a place in
/// the cycle.
struct SentenceOccurrences: Sendable {
    private static let capacity = 32

    /// The sentences that have ever occurred, in the order of their first occurrence.
    private var sentences: [Entry] = []
    /// Where the sentence found last stands.
    private var recent = 0
    private var epoch = 1

    private struct Entry {
        var address: Address
        /// Where the sentence stands that followed it last, as it nearly always does.
        var next = 0
        /// The epoch in which it occurred last, and how often it did.
        var epoch = 0
        var count = 0
    }

    init() {
        sentences.reserveCapacity(Self.capacity)
    }

    /// Whether the same sentences are listed in the same order, and have occurred as often in this epoch.
    func isInterchangeable(with other: SentenceOccurrences) -> Bool {
        // `recent` is only where a search begins.
        sentences.count == other.sentences.count
            && zip(sentences, other.sentences).allSatisfy { own, others in
                let count = own.epoch == epoch ? own.count : 0
                return own.address == others.address
                    && count == (others.epoch == other.epoch ? others.count : 0)
            }
    }

    /// Whether the list begins anew.
    var isEmpty: Bool { sentences.isEmpty }

    /// Where a sentence stands in the list; `nil` when the list is full.
    @inline(__always)
    mutating func index(of address: Address) -> Int? {
        guard recent < sentences.count else { return find(address) }
        let next = sentences[recent].next
        guard next < sentences.count, sentences[next].address == address else {
            return find(address)
        }
        recent = next
        return next
    }

    @inline(never)
    private mutating func find(_ address: Address) -> Int? {
        if recent < sentences.count, sentences[recent].address == address { return recent }
        var index = sentences.firstIndex { $0.address == address }
        if index == nil {
            guard sentences.count < Self.capacity else { return nil }
            index = sentences.count
            sentences.append(Entry(address: address))
        }
        if let index {
            if recent < sentences.count { sentences[recent].next = index }
            recent = index
        }
        return index
    }

    /// Whether a sentence has occurred in this epoch.
    func hasOccurred(_ index: Int?) -> Bool {
        guard let index else { return false }
        return sentences.span[index].epoch == epoch
    }

    /// Counts an occurrence; returns the count in this epoch.
    mutating func count(_ index: Int?) -> Int {
        guard let index else { return 1 }
        let epoch = epoch
        var sentences = sentences.mutableSpan
        if sentences[index].epoch != epoch {
            sentences[index].epoch = epoch
            sentences[index].count = 0
        }
        sentences[index].count += 1
        return sentences[index].count
    }

    /// Begins an epoch.
    mutating func begin() {
        epoch += 1
        if sentences.count == Self.capacity { sentences.removeAll(keepingCapacity: true) }
    }
}
