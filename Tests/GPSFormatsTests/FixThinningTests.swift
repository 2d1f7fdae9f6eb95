// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct FixSelectionTests {
    /// The seconds after noon of the written fixes.
    private func seconds(_ track: Track, _ select: (inout FixSelection) -> Void) -> [Int] {
        track.converted(to: CSVFormat.self, select).lines.dropFirst().compactMap { line in
            let clock = line.prefix(19).suffix(8).split(separator: ":").compactMap { Int($0) }
            return clock.count == 3 ? (clock[0] - 12) * 3600 + clock[1] * 60 + clock[2] : nil
        }
    }

    @Test func `fixes are written at the given interval`() {
        #expect(seconds(.straight(12)) { $0.interval = 5 } == [0, 5, 10])
        #expect(seconds(.straight(4)) { $0.interval = 0.5 } == [0, 1, 2, 3])
    }

    @Test func `sentences with the times of other fixes are not written`() {
        let text = Track.straight(23).converted(to: NMEAFormat.self) { $0.interval = 10 }
        let times = text.split(separator: "\r\n").map { $0.split(separator: ",")[1].prefix(6) }
        #expect(times == ["120000", "120000", "120010", "120010", "120020", "120020"])
        let track = Track.straight(23, hasGLL: true)
        let all = track.converted(to: NMEAFormat.self) { $0.interval = 10 }
        #expect(all.count(of: "\r\n") == 9)
        for time in ["120000", "120010", "120020"] { #expect(all.count(of: ",\(time)") == 3) }
        var late = FixSelection()
        late.start = UTCTime(iso8601: "2026-03-21T12:00:01Z")
        let rest = Track.straight(3).converted(to: NMEAFormat.self) { $0 = late }
        #expect(rest.count(of: ",120001") == 2 && rest.count(of: ",120002") == 2)
    }

    @Test func `a new segment begins with a fix at any interval`() {
        var track = Track.straight(3)
        track.add(3, nil)
        for second in 4..<8 { track.add(second, 48) }
        #expect(seconds(track) { $0.interval = 5 } == [0, 4])
    }

    @Test func `a date that appears or disappears does not begin a segment`() {
        func segments(_ times: [String?]) -> [Bool] {
            var thinning = FixThinning(FixSelection())
            return times.map { text in
                var fix = Fix()
                if let text, text.utf8.count > 8 {
                    fix.time = UTCTime(iso8601: text)
                } else if let text {
                    fix.timeOfDay = UTCTime(iso8601: "2026-03-21T\(text)Z")?.time
                }
                return thinning.decision(on: fix).beginsSegment
            }
        }
        let (noon, later) = ("2026-03-21T12:00:00Z", "2026-03-21T12:02:00Z")
        #expect(segments(["11:59:59", noon, "12:00:01"]) == [true, false, false])
        #expect(segments(["23:59:59", "2026-03-22T00:00:00Z"]) == [true, false])
        #expect(segments([nil, noon, nil, noon]) == [true, false, false, false])
        // These are gaps after a step of a second, and times that jump back.
        #expect(segments([noon, "12:00:01", "12:02:00", noon]) == [true, false, true, true])
        #expect(
            segments([noon, nil, "12:00:01", nil, later, nil, noon])
                == [true, false, false, false, true, false, true])
        // The steps of a sparse track are no gaps.
        #expect(segments([noon, "12:02:00", noon]) == [true, false, true])
    }

    @Test func `a leap second is before midnight, and time does not jump back after it`() {
        var selection = FixSelection()
        selection.end = UTCTime(iso8601: "2017-01-01T00:00:00.5Z")
        let midnight = UTCTime(iso8601: "2017-01-01T00:00:00Z")
        let times = ["2016-12-31T23:59:60Z", "2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00Z"]
        func decisions() -> [FixThinning.Decision] {
            var thinning = FixThinning(selection)
            return times.map { text in
                var fix = Fix()
                fix.time = UTCTime(iso8601: text)
                return thinning.decision(on: fix)
            }
        }
        #expect(decisions().map(\.isWritten) == [true, true, true])
        #expect(decisions().map(\.beginsSegment) == [true, false, false])
        selection.end = midnight
        #expect(decisions().map(\.isWritten) == [true, true, false])
        (selection.start, selection.end) = (midnight, nil)
        #expect(decisions().map(\.isWritten) == [false, false, true])
    }

    @Test func `fixes are written at the given distance`() {
        // A hundred-thousandth of a degree of latitude is 1.11 m.
        #expect(seconds(.straight(12)) { $0.distance = 5 } == [0, 5, 10])
        #expect(seconds(.straight(4)) { $0.distance = 1.2 } == [0, 2])
    }

    @Test func `distances are right across the date line`() {
        var track = Track()
        track.add(0, 0, 179.99999)
        track.add(1, 0, -179.99999)
        track.add(2, 0, -179.9999)
        #expect(seconds(track) { $0.distance = 5 } == [0, 2])
    }

    @Test func `a straight line is reduced to its two ends`() {
        #expect(seconds(.straight(100)) { $0.tolerance = 1 } == [0, 99])
    }

    @Test func `corners are kept, and points within the tolerance are removed`() {
        var track = Track()
        for second in 0..<20 {
            let east = second < 10 ? 0 : Double(second - 10) * 1e-4
            let north = Double(min(second, 10)) * 1e-4
            // 1.1 m back and forth
            track.add(second, 48 + north + Double(second % 2) * 1e-5, 16 + east)
        }
        #expect(seconds(track) { $0.tolerance = 3 } == [0, 10, 19])
        #expect(seconds(track) { $0.tolerance = 0.1 }.count > 10)
    }

    @Test func `a long track is simplified in windows whose ends are kept`() {
        let kept = seconds(.straight(1600)) { $0.tolerance = 1 }
        #expect(kept == [0, 511, 1022, 1533, 1599])
    }

    @Test(arguments: [3.0, 10, 40])
    func `every removed fix is within the tolerance`(_ tolerance: Double) {
        var generator = SystemRandomNumberGenerator()
        var track = Track()
        var points: [(Double, Double)] = []
        var (north, east) = (0.0, 0.0)
        for second in 0..<1500 {
            north += Double.random(in: -5...8, using: &generator)
            east += Double.random(in: -5...8, using: &generator)
            points.append((north, east))
            track.add(second, north / 111_195, 16 + east / 111_320)
        }
        let kept = seconds(track) { $0.tolerance = tolerance }
        #expect(kept.first == 0)
        #expect(kept.last == 1499)
        for (start, end) in zip(kept, kept.dropFirst()) {
            let (a, b) = (points[start], points[end])
            for point in points[start...end] {
                #expect(distance(point, a, b) <= tolerance * 1.01)
            }
        }
    }

    private func distance(
        _ p: (Double, Double), _ a: (Double, Double), _ b: (Double, Double)
    ) -> Double {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1)
        let length = dx * dx + dy * dy
        let share =
            length == 0 ? 0 : max(0, min(1, ((p.0 - a.0) * dx + (p.1 - a.1) * dy) / length))
        let (x, y) = (p.0 - a.0 - share * dx, p.1 - a.1 - share * dy)
        return (x * x + y * y).squareRoot()
    }
}

/// The division of a track into several files.
@Suite(.timeLimit(.generous))
struct TrackSplitTests {
    /// 2026-03-21T23:59:58Z.
    private static let start: Int64 = 1_774_137_598

    private struct File: Equatable {
        let name: String
        let text: String
        /// The number of lines after the header.
        var rows: Int { text.split(separator: "\n").count - 1 }
    }

    /// Returns fixes at the given seconds, 11 m apart to the north, or more; undated for `nil`.
    private func fixes(_ seconds: [Int64?], step: Double = 1e-4) -> [Fix] {
        seconds.enumerated().map { index, second in
            var fix = Fix()
            fix.time = second.flatMap {
                UTCTime(unixNanoseconds: (Self.start + $0) * 1_000_000_000)
            }
            fix.timeOfDay = fix.time?.time
            fix.coordinate = Coordinate(latitude: 48 + Double(index) * step, longitude: 16)
            fix.mode = .twoD
            fix.quality = .autonomous
            return fix
        }
    }

    private func files(
        _ fixes: [Fix], _ format: any OutputFormat.Type, _ split: TrackSplit,
        selecting selection: FixSelection = FixSelection()
    ) -> [File] {
        files(format, split, selection) { conversion in
            conversion.begin(OutputSource(name: "a", origin: .replay))
            for fix in fixes { conversion.add(fix) }
            conversion.end()
        }
    }

    private func files(
        _ format: any OutputFormat.Type, _ split: TrackSplit, _ selection: FixSelection,
        _ convert: (inout Conversion) -> Void
    ) -> [File] {
        var metadata = OutputMetadata()
        metadata.title = "week"
        var conversion = Conversion(
            to: format, selecting: selection, metadata: metadata, dividing: split)
        convert(&conversion)
        var files = conversion.takeEndedFiles().map {
            File(name: $0.name, text: String(decoding: $0.rest, as: UTF8.self))
        }
        var bytes: [UInt8] = []
        conversion.drain { $0.withUnsafeBytes { bytes += $0 } }
        let last = String(decoding: bytes + conversion.closing, as: UTF8.self)
        if let name = conversion.fileName { files.append(File(name: name, text: last)) }
        return files
    }

    @Test func `a day ends at midnight UTC, and a day that occurs again has a number`() {
        let files = files(
            fixes([nil, 0, 1, nil, 2, 3, 86_400 + 2, 2, 3]), CSVFormat.self, .day)
        #expect(
            files.map(\.name) == [
                "undated", "20260321", "20260322", "20260323", "20260322-2",
            ])
        #expect(files.map(\.rows) == [1, 3, 2, 1, 2])
    }

    @Test func `time does not jump back after a leap second`() {
        let times = [
            "2016-12-31T23:59:59.5Z", "2016-12-31T23:59:60Z", "2016-12-31T23:59:60.5Z",
            "2017-01-01T00:00:00Z", "2017-01-01T00:00:00.5Z",
        ]
        var track = fixes(Array(repeating: nil, count: times.count))
        for (index, time) in times.enumerated() { track[index].time = UTCTime(iso8601: time) }
        #expect(files(track, CSVFormat.self, .gap(60)).map(\.rows) == [5])
    }

    @Test func `a file ends before a longer gap, and where time jumps back`() {
        let seconds: [Int64?] = [0, 60, 120, 181, 182, 100, 160, nil, 9000]
        let files = files(fixes(seconds), CSVFormat.self, .gap(60))
        #expect(files.map(\.name) == ["001", "002", "003"])
        // After a fix without a time, the gap is unknown.
        #expect(files.map(\.rows) == [3, 2, 4])
    }

    @Test func `a file ends at a distance`() {
        // 111 m in ten seconds, several times.
        let track = fixes((0..<100).map { Int64($0) * 10 }, step: 1e-3)
        let files = files(track, CSVFormat.self, .distance(1000))
        #expect(10...12 ~= files.count)
        #expect(files.reduce(0) { $0 + $1.rows } == 100)
        #expect(files.dropFirst().dropLast().allSatisfy { 8...11 ~= $0.rows })
    }

    @Test(arguments: OutputFormats.names)
    func `each fix is in one file, and each file is complete`(_ name: String) throws {
        let format = try #require(OutputFormats.named(name))
        let track = fixes((0..<12).map { $0 })
        let files = files(track, format, .day)
        #expect(files.map(\.name) == ["20260321", "20260322"])
        let alone = [track.prefix(2), track.dropFirst(2)].map {
            self.files(Array($0), format, .day).map(\.text)
        }
        #expect(files.map(\.text) == alone.flatMap { $0 })
        if format.traits.hasMetadata { #expect(files.allSatisfy { $0.text.contains("week") }) }
    }

    @Test func `no sentence is lost between two files`() {
        var track = Track()
        for second in [0, 1, 2, 100, 101, 300] { track.add(second, 48) }
        let files = files(NMEAFormat.self, .gap(60), FixSelection()) { conversion in
            conversion.begin(OutputSource(name: "a", origin: .replay))
            for byte in track.bytes { conversion.push([byte].span) }
            conversion.end()
        }
        #expect(files.count == 3)
        #expect(files.map(\.text).joined() == track.converted(to: NMEAFormat.self))
        #expect(files.allSatisfy { $0.text.hasPrefix("$GPRMC") || $0.text.hasPrefix("$GNRMC") })
    }

    @Test func `the sentences of a fix are in one file`() {
        let files = files(NMEAFormat.self, .distance(1), FixSelection()) { conversion in
            conversion.begin(OutputSource(name: "a", origin: .replay))
            conversion.push(Track.straight(9, hasGLL: true).bytes.span)
            conversion.end()
        }
        #expect(files.count > 1)
        for type in ["GGA", "GLL"] {
            #expect(files.allSatisfy { $0.text.count(of: "RMC") == $0.text.count(of: type) })
        }
    }

    @Test func `a thinned track begins each file with its first fix`() {
        var selection = FixSelection()
        selection.tolerance = 5
        let files = files(
            fixes((0..<60).map { $0 < 30 ? $0 : $0 + 1000 }), CSVFormat.self, .gap(60),
            selecting: selection)
        #expect(files.map(\.rows) == [2, 2])
        selection.tolerance = nil
        selection.end = UTCTime(unixNanoseconds: (Self.start + 2) * 1_000_000_000)
        let one = self.files(fixes([0, 1, 2, 3]), CSVFormat.self, .day, selecting: selection)
        #expect(one.map(\.name) == ["20260321"])
    }
}
