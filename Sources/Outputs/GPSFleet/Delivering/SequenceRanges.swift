// SPDX-License-Identifier: MIT

/// Ordered, disjoint ranges of sequence numbers.
struct SequenceRanges {
    private(set) var ranges: [ClosedRange<Int64>] = []

    var isEmpty: Bool { ranges.isEmpty }

    /// Adds a range, and merges it with the last ranges where they touch or overlap.
    mutating func append(_ range: ClosedRange<Int64>) {
        var range = range
        while let last = ranges.last, range.lowerBound <= last.upperBound + 1 {
            range =
                min(last.lowerBound, range.lowerBound)...max(last.upperBound, range.upperBound)
            ranges.removeLast()
        }
        ranges.append(range)
    }

    /// Returns the next range to read: the last one if `newestFirst` is `true`, otherwise the
    /// first; `nil` if there is none.
    func next(newestFirst: Bool) -> ClosedRange<Int64>? {
        newestFirst ? ranges.last : ranges.first
    }

    /// Removes the part of the next range that has been read. `number` is the last sequence number
    /// that was read; `nil` if the whole range was read.
    mutating func remove(newestFirst: Bool, upTo number: Int64?) {
        guard let range = next(newestFirst: newestFirst) else { return }
        let rest =
            number.flatMap { number -> ClosedRange<Int64>? in
                let (first, last) =
                    newestFirst ? (range.lowerBound, number - 1) : (number + 1, range.upperBound)
                return first <= last ? first...last : nil
            }
        let index = newestFirst ? ranges.count - 1 : 0
        if let rest {
            ranges[index] = rest
        } else {
            ranges.remove(at: index)
        }
    }
}
