// SPDX-License-Identifier: MIT

/// The time ranges that earlier recordings cover. With them, a fix that is in several recordings is
/// counted only once.
struct RecordedTimes: Sendable {
    /// The maximum number of ranges. When there are more, neighbouring ranges are joined.
    private static let limit = 1024

    /// The longest interval between consecutive fixes of one range, in nanoseconds.
    private let gap: Int64
    /// The time ranges of earlier recordings in nanoseconds, sorted and disjoint.
    private var before: [ClosedRange<Int64>] = []
    /// The time ranges of the current recording in nanoseconds, in the order of the recording.
    private var present: [ClosedRange<Int64>] = []

    /// Creates an empty list. A range ends after `gap` seconds without a fix.
    init(gap: Double) {
        self.gap = Int64(max(0, min(gap, 1e9)) * 1e9)
    }

    /// Begins the next recording. The ranges of the current recording become ranges of earlier
    /// recordings.
    mutating func beginRecording() {
        before = Self.merged(before + present)
        present = []
    }

    /// Adds the time of a fix, in nanoseconds. Returns `false` if an earlier recording covers this
    /// time.
    mutating func isNew(_ time: Int64) -> Bool {
        if let last = present.last, time >= last.upperBound, time &- last.upperBound <= gap {
            present[present.count - 1] = last.lowerBound...time
        } else {
            present.append(time...time)
            if present.count > Self.limit { present = Self.merged(present) }
        }
        guard !before.isEmpty else { return true }
        // The first range that ends at this time or later.
        let index = before.sortedPrefixCount { $0.upperBound < time }
        return index == before.count || before[index].lowerBound > time
    }

    private static func merged(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        var merged: [ClosedRange<Int64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] =
                    last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        guard merged.count > limit / 2 else { return merged }
        return stride(from: 0, to: merged.count, by: 2).map { index in
            let next = merged[min(index + 1, merged.count - 1)]
            return merged[index].lowerBound...next.upperBound
        }
    }
}
