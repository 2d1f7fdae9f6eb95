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
    /// For each recording, the indices of those that become one track with it.
    private let tracks: [[Int]]
    /// Recordings do not overlap where one of them has no fix for more than this time, in
    /// nanoseconds.
    private let gap: Int64
    /// The indices of the recordings that overlapped at the last returned fix.
    private var current: [Int] = []
    /// The recordings of the current track.
    private var track: [Int] = []
    /// The origin of the last returned fix.
    private var currentOrigin = DataOrigin.unknown
    /// The positions of the latest fixes, which have the same time, each with the index of its
    /// recording.
    private var recent: (time: UTCTime, fixes: [(recording: Int, coordinate: Coordinate)])?

    /// Creates a merge of recordings whose first fixes have been read. `extents` are `nil`
    /// where unknown. `gap` is in seconds.
    init(_ recordings: [MergedRecording], extents: [MergedRecording.Extent?], gap: Double) {
        self.recordings = recordings
        self.gap = Int64(nanosecondsIn: gap)
        tracks = Self.tracks(extents)
    }

    /// Returns for each recording the indices of all that overlap with it, directly or through
    /// others. A recording of unknown extent overlaps with all.
    private static func tracks(_ extents: [MergedRecording.Extent?]) -> [[Int]] {
        var groups = extents.indices.map { [$0] }
        for (index, extent) in extents.enumerated() {
            for other in extents.indices.dropFirst(index + 1) {
                guard !groups[index].contains(other) else { continue }
                if let extent, let next = extents[other], !extent.overlaps(next) { continue }
                let joined = (groups[index] + groups[other]).sorted()
                for member in joined { groups[member] = joined }
            }
        }
        return groups
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
            // Only recordings of the same origin are one track.
            let isSame = tracks[index] == track && origin == currentOrigin
            let source = isSame ? nil : source(of: tracks[index], origin)
            let isFirst = entry.beginsSegment || !current.contains(index)
            (current, currentOrigin, track) = (active, origin, tracks[index])
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

    private func source(of track: [Int], _ origin: DataOrigin) -> OutputSource {
        let names = track.map { recordings[$0].source.name }
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
