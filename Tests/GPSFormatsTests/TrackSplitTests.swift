// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

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
        if format.hasMetadata { #expect(files.allSatisfy { $0.text.contains("week") }) }
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
