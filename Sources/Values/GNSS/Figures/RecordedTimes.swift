// SPDX-License-Identifier: MIT

/// The time ranges that earlier recordings cover. With them, a fix that is in several recordings is
/// counted only once.
struct RecordedTimes: Sendable {
    /// The maximum number of ranges. When there are more, those with the smallest gaps between them
    /// are joined. The ranges take at most half a megabyte.
    private static let limit = 16_384

    /// The longest interval between consecutive fixes of one range, in nanoseconds.
    private let gap: Int64
    /// The time ranges of earlier recordings in nanoseconds, sorted and disjoint.
    private var before: [ClosedRange<Int64>] = []
    /// The time ranges of the current recording in nanoseconds, in the order of the recording.
    private var present: [ClosedRange<Int64>] = []

    /// Creates an empty list. A range ends after `gap` seconds without a fix.
    init(gap: Double) {
        self.gap = Int64(nanosecondsIn: max(0, min(gap, 1e9)))
    }

    /// Begins the next recording. The ranges of the current recording become ranges of earlier
    /// recordings.
    mutating func beginRecording() {
        guard !present.isEmpty else { return }
        before = Self.merged(before + present, limit: Self.limit)
        present = []
    }

    /// Adds the time of a fix, in nanoseconds. Returns `false` if an earlier recording covers this
    /// time.
    mutating func isNew(_ time: Int64) -> Bool {
        if let last = present.last, time >= last.upperBound, time &- last.upperBound <= gap {
            present[present.count - 1] = last.lowerBound...time
        } else {
            present.append(time...time)
            if present.count > Self.limit {
                present = Self.merged(present, limit: Self.limit / 2)
            }
        }
        guard !before.isEmpty else { return true }
        // The first range that ends at this time or later.
        let index = before.sortedPrefixCount { $0.upperBound < time }
        return index == before.count || before[index].lowerBound > time
    }

    /// Returns at most `limit` ranges, sorted and disjoint, that cover all given ones.
    private static func merged(
        _ ranges: [ClosedRange<Int64>], limit: Int
    ) -> [ClosedRange<Int64>] {
        var merged: [ClosedRange<Int64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] =
                    last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged.count > limit ? joined(merged, to: limit) : merged
    }

    /// Joins sorted and disjoint ranges across the smallest gaps until `limit` of them remain.
    private static func joined(
        _ ranges: [ClosedRange<Int64>], to limit: Int
    ) -> [ClosedRange<Int64>] {
        /// Returns the nanoseconds between a range and the one before it.
        func gap(before index: Int) -> UInt64 {
            UInt64(bitPattern: ranges[index].lowerBound &- ranges[index - 1].upperBound)
        }
        let smallest = (1..<ranges.count).sorted { gap(before: $0) < gap(before: $1) }
            .prefix(ranges.count - limit)
        let isJoined = Set(smallest)
        var joined: [ClosedRange<Int64>] = []
        for (index, range) in ranges.enumerated() {
            if let last = joined.last, isJoined.contains(index) {
                joined[joined.count - 1] = last.lowerBound...range.upperBound
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}
