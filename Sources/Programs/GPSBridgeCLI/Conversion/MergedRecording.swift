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
    /// - Throws: `CancellationError` on a signal.
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
        } catch let error as CancellationError {
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
    /// - Throws: `CommandFailure` if the fix is earlier than the previous one, `DeviceError` if the
    ///   file cannot be read, and `CancellationError` on a signal.
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
    var originLines = OriginLines()
    var statedOrigin: DataOrigin?
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
        case .segment: isGap = true
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
        let isSimulated = statedOrigin == .simulated || fix.quality == .simulated
        entries.append(
            MergedRecording.Entry(
                time: time, fix: fix, view: view, origin: isSimulated ? .simulated : .replay,
                beginsSegment: isGap || isSimulated != wasSimulated))
        (isGap, wasSimulated) = (false, isSimulated)
    }
}
