// SPDX-License-Identifier: MIT
import GNSS

/// Counts how often each sentence has occurred in the current epoch. A sentence and its count
/// identify a position in the cycle.
struct SentenceOccurrences: Sendable {
    private static let capacity = 32

    /// All sentences that have occurred since the list was last cleared, in the order of their
    /// first occurrence.
    private var sentences: [Entry] = []
    /// The index in `sentences` of the most recently looked-up sentence, where the next search
    /// starts.
    private var recent = 0
    private var epoch = 1
    /// The index of the satellite receiver's most recent sentence.
    private var latest: Int?

    private struct Entry {
        var address: Address
        /// The index of the sentence that followed when this one last occurred. The same sentence
        /// nearly always follows again.
        var next = 0
        /// The number of the epoch in which the sentence last occurred. `count` is how often it
        /// occurred in it.
        var epoch = 0
        var count = 0
        /// The number of occurrences in the last epoch before `epoch` that contained the sentence.
        var previousCount = 0

        /// Returns the number of occurrences in an epoch, and the number in the last earlier epoch
        /// that contained the sentence.
        func counts(in current: Int) -> (Int, Int) {
            epoch == current ? (count, previousCount) : (0, count)
        }
    }

    init() {
        sentences.reserveCapacity(Self.capacity)
    }

    /// Returns whether both values list the same sentences in the same order, with the same counts
    /// in their current epochs and before them.
    func hasSameState(with other: SentenceOccurrences) -> Bool {
        // `recent` only affects where a search starts.
        sentences.count == other.sentences.count && latest == other.latest
            && zip(sentences, other.sentences).allSatisfy { own, others in
                own.address == others.address
                    && own.counts(in: epoch) == others.counts(in: other.epoch)
            }
    }

    /// Whether the list is empty: no sentence has occurred yet, or the list was full and has been
    /// cleared.
    var isEmpty: Bool { sentences.isEmpty }

    /// Returns the index of a sentence in the list, after adding it if necessary; `nil` if the list
    /// is full.
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

    /// Returns whether the list begins with a sentence that has occurred once in this epoch.
    func beginsOnce(with address: Address) -> Bool {
        sentences.first.map { $0.address == address && $0.counts(in: epoch).0 == 1 } ?? false
    }

    /// Returns whether a satellite receiver has sent a sentence with this formatter.
    func receiverHasSent(_ formatter: SentenceFormatter) -> Bool {
        sentences.contains {
            $0.address.isOfSatelliteReceiver && $0.address.formatter == formatter
        }
    }

    /// Returns whether a sentence with this formatter has occurred less often in this epoch than in
    /// the previous one.
    func isMissing(_ formatter: SentenceFormatter) -> Bool {
        sentences.contains {
            let (count, previous) = $0.counts(in: epoch)
            return count < previous && $0.epoch >= epoch - 1 && $0.address.formatter == formatter
        }
    }

    /// Returns whether a sentence has occurred at least `count` times in this epoch.
    func hasOccurred(_ index: Int?, times count: Int = 1) -> Bool {
        guard let index else { return false }
        let sentences = sentences.span
        return sentences[index].epoch == epoch && sentences[index].count >= count
    }

    /// Returns whether a sentence has occurred in this epoch as often as in the last epoch that
    /// contained it, and the satellite receiver has sent another sentence since then, or one may have
    /// been lost (`afterLoss`).
    func isSurplus(_ index: Int?, afterLoss: Bool) -> Bool {
        guard let index, let latest, latest != index || afterLoss else { return false }
        let sentences = sentences.span
        return sentences[index].epoch == epoch && sentences[index].previousCount > 0
            && sentences[index].count >= sentences[index].previousCount
    }

    /// Counts an occurrence of a sentence, and returns its number of occurrences in this epoch.
    mutating func count(_ index: Int?) -> Int {
        guard let index else { return 1 }
        if self.sentences[index].address.isOfSatelliteReceiver { latest = index }
        let epoch = epoch
        var sentences = sentences.mutableSpan
        if sentences[index].epoch != epoch {
            sentences[index].previousCount = sentences[index].count
            sentences[index].epoch = epoch
            sentences[index].count = 0
        }
        sentences[index].count += 1
        return sentences[index].count
    }

    /// Begins an epoch, and sets all counts to zero.
    mutating func begin() {
        epoch += 1
        guard sentences.count == Self.capacity else { return }
        sentences.removeAll(keepingCapacity: true)
        latest = nil
    }
}
