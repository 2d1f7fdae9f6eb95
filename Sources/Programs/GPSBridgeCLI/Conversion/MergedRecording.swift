// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import NMEA

/// Reads the fixes of a recording one at a time, in order of time, for a merge.
final class MergedRecording {
    /// A fix with a date and a position.
    struct Entry {
        let time: UTCTime
        let fix: Fix
        var view: SatelliteView?
        let origin: DataOrigin
        /// Whether a new segment of the track begins with this fix.
        let beginsSegment: Bool
    }

    /// The times of the first and the last fix in nanoseconds, and whether they are simulated.
    struct Extent {
        var times: ClosedRange<Int64>
        let isSimulated: Bool

        /// Returns whether recordings with these extents become one track.
        func overlaps(_ other: Extent) -> Bool {
            isSimulated == other.isSimulated && times.overlaps(other.times)
        }
    }

    /// Reads a whole file for its extent; `nil` if it is no regular file or has no fix with a date.
    ///
    /// - Throws: `CancellationError` on a signal, and `InputError` if all its positions are wrong.
    static func extent(of recording: Recording) throws -> Extent? {
        guard recording.size != nil, recording.name != "-" else { return nil }
        var extent: Extent?
        do {
            let file = MergedRecording(try Recording(recording.name), keepsWaypoints: false)
            try file.advance()
            while let next = file.next {
                let time = next.time.unixNanoseconds
                let first = extent?.times.lowerBound ?? time
                extent = Extent(
                    times: first...max(first, time),
                    isSimulated: extent?.isSimulated ?? file.isSimulated)
                try file.advance()
            }
        } catch let error where error is CancellationError || error is InputError {
            throw error
        } catch {
            // The error is reported when the file is read for the merge.
        }
        return extent
    }

    /// The number of bytes read and decoded at a time. It determines how much memory a recording
    /// needs.
    private static let chunk = 1 << 13

    let recording: Recording
    /// The name of the recording, and the origin of the next fix or, at the end, of the last one.
    private(set) var source: OutputSource
    /// The next fix; `nil` at the end of the recording.
    private(set) var next: Entry?
    /// Whether the next fix or, at the end of the recording, the last one is simulated.
    private(set) var isSimulated = false
    /// The time of the fix before `next`; `nil` if `next` is the first one.
    private(set) var last: UTCTime?
    /// A message about the damage at which the recording ends; `nil` if it is not damaged.
    private(set) var damage: String?
    /// The number of waypoints and routes returned so far.
    private(set) var placeCount = 0
    /// The number of valid sentences.
    var validCount: Int { decoder.statistics.valid }
    /// The number of fixes with a position but no date.
    var undatedCount: Int { collector.undatedCount }
    /// The number of fixes with a position, waypoints and routes read.
    var readCount: Int { collector.fixCount + undatedCount + placeCount }

    private(set) var input: RecordedInput
    private var decoder = NMEADecoder()
    private var collector = FixCollector()
    private var buffer = [UInt8](repeating: 0, count: MergedRecording.chunk)
    private var isOver = false

    init(_ recording: Recording, keepsWaypoints: Bool) {
        self.recording = recording
        source = OutputSource(opened: recording.name, origin: .replay)
        input = RecordedInput(
            name: FileName.shown(recording.name), keepsWaypoints: keepsWaypoints)
    }

    /// Reads the next fix into `next`. Damage ends the recording.
    ///
    /// - Throws: `CommandFailure` if the fix is earlier than the previous one, `InputError` if all
    ///   positions of the file are wrong, `DeviceError` if the file cannot be read, and
    ///   `CancellationError` on a signal.
    func advance() throws {
        last = next?.time ?? last
        // Two fixes are read ahead, because the satellites of a fix may follow it.
        while collector.count < 2, !isOver { try read() }
        next = collector.take()
        if let next {
            source.origin = next.origin
            isSimulated = source.isSimulated(next.fix)
        }
        guard let last, let next, next.time.isBefore(last) else { return }
        let name = FileName.shown(recording.name)
        throw CommandFailure(
            "\(name) is not in order of time, so it cannot be merged: \(last) is followed by "
                + "\(next.time). `gpsbridge convert \(name) --split gap=1h -o NAME` divides it at such "
                + "places into files that can be merged")
    }

    /// Returns the waypoints and routes read since the last call.
    func takePlaces() -> [InputEvent] {
        let places = collector.takePlaces()
        placeCount += places.count
        return places
    }

    private func read() throws {
        do {
            let count = try recording.read(into: &buffer)
            isOver = count == nil
            try push(buffer[..<(count ?? 0)], isLast: isOver)
            if isOver { decoder.finish(to: &collector) }
        } catch let error as Recording.DamageError {
            // The damage is the reason for any error in the rest.
            try? push([], isCutOff: true)
            end(error.description)
        } catch let error as InputError {
            guard !error.isOfWholeFile || readCount == 0 else { throw error }
            end(error.description)
        }
    }

    private func push(
        _ bytes: ArraySlice<UInt8>, isLast: Bool = false, isCutOff: Bool = false
    ) throws(InputError) {
        try input.push(bytes, isLast: isLast, isCutOff: isCutOff) {
            decoder.push(recording: $0.span, to: &collector)
        } _: {
            collector.add($0)
        }
    }

    private func end(_ damage: String) {
        self.damage = damage
        isOver = true
        decoder.finish(to: &collector)
    }
}

/// Stores the decoded fixes, waypoints and routes of a recording until `MergedRecording` removes
/// them.
private struct FixCollector: RecordingListener {
    private var entries: [MergedRecording.Entry] = []
    private var start = 0
    private var places: [InputEvent] = []
    private var isGap = true
    var statedOrigin: DataOrigin?
    var statedVote: Vote?
    private var wasSimulated = false
    private(set) var undatedCount = 0
    /// The number of fixes with a position and a date.
    private(set) var fixCount = 0

    var wantsSentences: Bool { false }
    /// The number of stored fixes.
    var count: Int { entries.count - start }

    /// Removes and returns the next fix; `nil` if there is none.
    mutating func take() -> MergedRecording.Entry? {
        guard start < entries.count else { return nil }
        defer {
            start += 1
            if start >= 64 || start == entries.count {
                entries.removeFirst(start)
                start = 0
            }
        }
        return entries[start]
    }

    mutating func takePlaces() -> [InputEvent] { exchange(&places, with: []) }

    mutating func add(_ event: InputEvent) {
        switch event {
        case .fix(let fix, let view): add(fix, view)
        case .satellites: break
        case .segment, .track: isGap = true
        case .waypoint, .route: places.append(event)
        }
    }

    mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
        add(fix, nil)
    }

    mutating func didReceive(satellites view: SatelliteView) {
        guard count > 0, entries[entries.count - 1].view == nil else { return }
        entries[entries.count - 1].view = view
    }

    private mutating func add(_ fix: Fix, _ view: SatelliteView?) {
        guard fix.coordinate != nil else { return isGap = true }
        guard let time = fix.time else { return undatedCount += 1 }
        fixCount += 1
        var fix = fix
        if let statedVote, fix.vote == nil { fix.vote = statedVote }
        let isSimulated = statedOrigin == .simulated || fix.quality == .simulated
        entries.append(
            MergedRecording.Entry(
                time: time, fix: fix, view: view, origin: isSimulated ? .simulated : .replay,
                beginsSegment: isGap || isSimulated != wasSimulated))
        (isGap, wasSimulated) = (false, isSimulated)
    }
}

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
