// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

/// GPX files as a store of fixes.
@Suite(.timeLimit(.generous))
struct GPXFolderTests {
    private static let start: Int64 = 1_774_094_400_000
    private let folder: TemporaryFolder
    private let member: MemberName
    private var path: String { folder.path("tracks/f/b/r/2026-03-21.gpx") }

    init() throws {
        folder = try TemporaryFolder()
        member = try #require(MemberName(fleet: "f", bridge: "b", receiver: "r"))
    }

    private func batch(
        _ seconds: Range<Int>, hasPosition: Bool = true, origin: DataOrigin = .live
    ) -> FixBatch {
        let rows = seconds.map { second in
            var fix = Fix()
            let time = Self.start + Int64(second) * 1000
            fix.time = UTCTime(unixNanoseconds: time * 1_000_000)
            fix.mode = .threeD
            if hasPosition {
                fix.coordinate = Coordinate(latitude: 48, longitude: 16 + Double(second) / 7460)
            }
            return FixRow(fix, sequence: Int64(second), received: time + 200)
        }
        return FixBatch(member: member, boot: "boot", origin: origin, rows: rows)
    }

    private func store() -> GPXFolder { GPXFolder(folder.path("tracks")) { 20_533 } }

    /// The seconds of the file's points, and its number of segments.
    private func content() -> (times: [String], segments: Int) {
        let text = String(decoding: readFile(path), as: UTF8.self)
        #expect(text.hasSuffix("</gpx>\n"))
        let times = text.split(separator: "<time>").dropFirst().map { String($0.prefix(24)) }
        return (times, text.split(separator: "<trkseg>").count - 1)
    }

    @Test func `each point is written once, also if it is received repeatedly`() throws {
        let store = store()
        try store.open()
        #expect(try store.store([batch(0..<60)], rejected: []).new == 60)
        let again = try store.store([batch(30..<90)], rejected: [])
        #expect(again.new == 30)
        #expect(again.duplicates == 30)
        // Another run of the program reads the existing points.
        #expect(try self.store().store([batch(0..<100)], rejected: []).new == 10)
        #expect(content().times.count == 100)
    }

    @Test func `a file that another program truncated, renamed or deleted is begun again`() throws {
        let store = store()
        try store.open()
        #expect(try store.store([batch(0..<60)], rejected: []).new == 60)
        #expect(truncate(path, 0) == 0)
        #expect(try store.store([batch(60..<70)], rejected: []).new == 10)
        #expect(content().times.count == 10)
        #expect(rename(path, path + ".1") == 0)
        #expect(try store.store([batch(70..<75)], rejected: []).new == 5)
        #expect(content().times.count == 5)
        #expect(unlink(path) == 0)
        #expect(try store.store([batch(75..<78)], rejected: []).new == 3)
        #expect(content().times.count == 3)
    }

    @Test func `late points are inserted in order`() throws {
        let store = store()
        try store.open()
        _ = try store.store([batch(100..<110)], rejected: [])
        _ = try store.store([batch(0..<10)], rejected: [])
        _ = try store.store([batch(110..<120), batch(50..<60)], rejected: [])
        let times = content().times
        #expect(times.count == 40)
        #expect(times == times.sorted())
    }

    @Test func `live points are in no file with simulated ones`() throws {
        let store = store()
        try store.open()
        _ = try store.store(
            [batch(0..<10, origin: .simulated), batch(10..<20), batch(5..<8)], rejected: [])
        _ = try store.store([batch(20..<30, origin: .simulated), batch(8..<10)], rejected: [])
        #expect(content().times.count == 15)
        let live = String(decoding: readFile(path), as: UTF8.self)
        #expect(!live.lowercased().contains("simulated"))
        let simulated = path.replacing(".gpx", with: "-simulated.gpx")
        let text = String(decoding: readFile(simulated), as: UTF8.self)
        #expect(text.split(separator: "<time>").count == 21)
        #expect(text.contains("origin: simulated"))
        // Both files are of the same day.
        let later = GPXFolder(folder.path("tracks")) { 20_543 }
        #expect(try later.dropDays(olderThan: 3, engineDay: 20_543) == 1)
        #expect(access(path, F_OK) != 0 && access(simulated, F_OK) != 0)
    }

    @Test(arguments: [DataOrigin.live, .replay, .simulated])
    func `points continue the track of a file that is opened again`(origin: DataOrigin) throws {
        let before = store()
        try before.open()
        _ = try before.store([batch(0..<10, origin: origin)], rejected: [])
        let store = self.store()
        _ = try store.store([batch(20..<30, origin: origin)], rejected: [])
        // Late points rewrite the file.
        _ = try store.store([batch(10..<15, origin: origin)], rejected: [])
        _ = try store.store([batch(30..<40, origin: origin)], rejected: [])
        let file = origin == .live ? path : path.replacing(".gpx", with: "-\(origin).gpx")
        let text = String(decoding: readFile(file), as: UTF8.self)
        #expect(text.split(separator: "<time>").count == 36)
        #expect(text.split(separator: "<trk>").count == 2 && text.contains("f/b/r</name>"))
    }

    @Test func `points without a date have a file of their own, with their times of reception`()
        throws
    {
        let store = store()
        try store.open()
        var undated = batch(0..<5)
        for index in undated.rows.indices { undated.rows[index].time = nil }
        _ = try store.store([batch(5..<10), undated], rejected: [])
        #expect(try self.store().store([undated], rejected: []).duplicates == 5)
        #expect(content().times.count == 5)
        let other = path.replacing(".gpx", with: "-undated.gpx")
        let text = String(decoding: readFile(other), as: UTF8.self)
        #expect(text.split(separator: "<time>").count == 6)
        #expect(text.contains("f/b/r, times of reception"))
        let later = GPXFolder(folder.path("tracks")) { 20_543 }
        #expect(try later.dropDays(olderThan: 3, engineDay: 20_543) == 1)
        #expect(access(other, F_OK) != 0)
    }

    @Test func `a pause of more than five minutes begins a segment`() throws {
        let store = store()
        try store.open()
        _ = try store.store([batch(0..<10), batch(400..<410)], rejected: [])
        #expect(content().segments == 2)
    }

    @Test(arguments: [1, 8, 30, 500, 2000])
    func `a file that was cut off is repaired`(missing: Int) throws {
        let before = store()
        try before.open()
        _ = try before.store([batch(0..<60)], rejected: [])
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(truncate(path, status.st_size - missing) == 0)
        _ = try store().store([batch(0..<70)], rejected: [])
        let times = content().times
        #expect(times.count == 70)
        #expect(times == times.sorted())
    }

    @Test func `fixes without a position are omitted, and files of other programs are kept`() throws
    {
        let store = store()
        try store.open()
        #expect(try store.store([batch(0..<5, hasPosition: false)], rejected: []) == StoredCount())
        _ = try store.store([batch(0..<5)], rejected: [])
        let file = try #require(fopen(path, "we"))
        fputs("<gpx creator=\"another\"/>\n", file)
        fclose(file)
        #expect(throws: StoreError.self) {
            try self.store().store([batch(5..<10)], rejected: [])
        }
    }

    @Test func `days older than the limit are removed`() throws {
        let store = store()
        try store.open()
        _ = try store.store([batch(0..<5)], rejected: [])
        #expect(try store.dropDays(olderThan: 1, engineDay: 20_543) == 0)
        // Two days, the first with the files of two receivers.
        var other = batch(0..<5)
        other.member = try #require(MemberName(fleet: "f", bridge: "b", receiver: "other"))
        _ = try store.store([other, batch(86_400..<86_405)], rejected: [])
        let later = GPXFolder(folder.path("tracks")) { 20_543 }
        #expect(try later.dropDays(olderThan: 3, engineDay: 20_543) == 2)
        #expect(access(path, F_OK) != 0)
    }

    @Test func `a clock that is ahead removes no days`() throws {
        let store = store()
        try store.open()
        _ = try store.store([batch(0..<5)], rejected: [])
        let ahead = GPXFolder(folder.path("tracks")) { 47_482 }
        #expect(try ahead.dropDays(olderThan: 3, engineDay: nil) == 0)
        #expect(try ahead.dropDays(olderThan: 3, engineDay: 20_535) == 0)
        #expect(access(path, F_OK) == 0)
    }
}
