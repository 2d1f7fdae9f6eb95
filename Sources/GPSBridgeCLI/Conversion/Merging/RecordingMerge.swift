// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// Merges recordings by time. Only the next fixes of each recording are in memory.
struct RecordingMerge {
    /// The next fix of the merged track.
    struct Step {
        let fix: Fix
        let view: SatelliteView?
        /// The source of this fix and the following ones; `nil` if it is unchanged.
        let source: OutputSource?
        /// Whether a new segment of the track begins with this fix.
        let beginsSegment: Bool
    }

    /// Two fixes with the same time are duplicates if they are at most this far apart, in metres.
    /// Formats with six decimals of a degree round positions by up to 8 cm.
    private static let sameDistance = 0.1
    /// The maximum number of fixes with the same time with which the next fix is compared.
    private static let comparisonLimit = 64

    private let recordings: [MergedRecording]
    /// Recordings do not overlap where one of them has no fix for more than this time, in
    /// nanoseconds.
    private let gap: Int64
    /// The indices of the recordings that overlapped at the last returned fix. Its source combines
    /// them.
    private var current: [Int] = []
    /// The origin of the last returned fix.
    private var currentOrigin = DataOrigin.unknown
    /// The positions of the latest fixes, which have the same time, each with the index of its
    /// recording.
    private var recent: (time: UTCTime, fixes: [(recording: Int, coordinate: Coordinate)])?

    /// Creates a merge of recordings whose first fixes have been read. `gap` is in seconds.
    init(_ recordings: [MergedRecording], gap: Double) {
        self.recordings = recordings
        self.gap = Int64(nanosecondsIn: gap)
    }

    /// Returns the next fix; `nil` at the end of all recordings. Duplicates of other recordings'
    /// fixes are skipped.
    ///
    /// - Throws: The errors of `MergedRecording.advance`.
    mutating func next() throws -> Step? {
        while let index = earliest, let entry = recordings[index].next {
            let active = active(with: index, at: entry.time)
            // Advancing a recording may change its origin.
            let origin = origin(of: active)
            let isNew = isNew(entry, of: index)
            try recordings[index].advance()
            guard isNew else { continue }
            let isSame = active == current && origin == currentOrigin
            let source = isSame ? nil : source(of: active, origin)
            let isFirst = entry.beginsSegment || !current.contains(index)
            (current, currentOrigin) = (active, origin)
            return Step(
                fix: entry.fix, view: entry.view, source: source,
                beginsSegment: isFirst && active.count == 1)
        }
        return nil
    }

    /// The index of the recording with the earliest next fix; the lowest index if there are
    /// several, `nil` at the end of all recordings.
    private var earliest: Int? {
        var found: (index: Int, time: UTCTime)?
        for (index, recording) in recordings.enumerated() {
            guard let time = recording.next?.time else { continue }
            if found.map({ time.isBefore($0.time) }) ?? true { found = (index, time) }
        }
        return found?.index
    }

    /// Returns `index` and the indices of the recordings that overlap with it at a time.
    ///
    /// A recording overlaps if it has one fix at most `gap` before the time and another at most
    /// `gap` after it. If `time` is that of its first or last fix, this fix is enough. Simulated
    /// recordings overlap only with simulated ones.
    private func active(with index: Int, at time: UTCTime) -> [Int] {
        let now = time.unixNanoseconds
        return recordings.indices.filter { other in
            if other == index { return true }
            let recording = recordings[other]
            guard recording.isSimulated == recordings[index].isSimulated else { return false }
            let last = recording.last?.unixNanoseconds
            let next = recording.next?.time.unixNanoseconds
            guard let before = last ?? (next == now ? next : nil),
                let after = next ?? (last == now ? last : nil)
            else { return false }
            return now &- before <= gap && after &- now <= gap
        }
    }

    private func source(of active: [Int], _ origin: DataOrigin) -> OutputSource {
        let names = active.map { recordings[$0].source.name }
        return OutputSource(name: names.joined(separator: " + "), origin: origin)
    }

    /// Returns the common origin of the next fixes of recordings that overlap. If one of these is
    /// simulated, all are.
    private func origin(of active: [Int]) -> DataOrigin {
        active.contains { recordings[$0].source.origin == .simulated } ? .simulated : .replay
    }

    /// Returns whether no other recording has contained this fix.
    private mutating func isNew(_ entry: MergedRecording.Entry, of index: Int) -> Bool {
        guard let coordinate = entry.fix.coordinate else { return false }
        guard var recent, recent.time == entry.time else {
            self.recent = (entry.time, [(index, coordinate)])
            return true
        }
        let isKnown = recent.fixes.contains {
            $0.recording != index
                && $0.coordinate.offset(from: coordinate).distance < Self.sameDistance
        }
        guard !isKnown else { return false }
        if recent.fixes.count < Self.comparisonLimit { recent.fixes.append((index, coordinate)) }
        self.recent = recent
        return true
    }
}
