// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

/// The contents and the limits of the spool.
@Suite(.timeLimit(.generous))
struct SpoolTests {
    private let folder: TemporaryFolder
    private let member: MemberName
    private var path: String { folder.path("spool.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        member = try #require(MemberName(fleet: "f", bridge: "b", receiver: "r"))
    }

    @Test func `a check finds a spool that cannot be written, and creates nothing`() throws {
        #expect(throws: FleetError.self) { try Spool.check(path: "/nonexistent/spool.sqlite") }
        #expect(throws: FleetError.self) { try Spool.check(path: folder.path) }
        try Spool.check(path: path)
        #expect(access(path, F_OK) != 0 && access(path + "-lock", F_OK) != 0)
    }

    /// A fix per second, each 10 m further east, with an offset in metres to the side.
    private func row(_ second: Int, aside: Double = 0) -> FixRow {
        var fix = Fix()
        let time = 1_774_094_400_000 + Int64(second) * 1000
        fix.time = UTCTime(unixNanoseconds: time * 1_000_000)
        fix.mode = .threeD
        fix.coordinate = Coordinate(
            latitude: 48 + aside / 111_200, longitude: 16 + Double(second) * 10 / 74_600)
        return FixRow(fix, received: time + 200)
    }

    private func fill(
        _ spool: Spool, _ seconds: Range<Int>, _ aside: (Int) -> Double = { _ in 0 }
    ) throws {
        let stream = try spool.addStreams([(member, .live)], boot: "boot")[0]
        for start in stride(from: seconds.lowerBound, to: seconds.upperBound, by: 1000) {
            let end = min(seconds.upperBound, start + 1000)
            var entries = (start..<end).map {
                Spool.Entry(stream: stream.number, row: row($0, aside: aside($0)))
            }
            try spool.append(&entries)
        }
    }

    private func all(_ spool: Spool, _ bit: Int64) throws -> [Spool.Entry] {
        guard let range = try spool.range() else { return [] }
        return try spool.read(range, newestFirst: false, limit: 1_000_000, bit: bit)
    }

    @Test func `a spool has the name that was given, even if it is not UTF-8`() throws {
        let path = folder.path(FileName.string([0x63, 0xE9]))
        let spool = try Spool(path: path)
        #expect(!spool.isDeleted)
        #expect(access(FileName.native(path), F_OK) == 0)
    }

    @Test func `a spool of the first version is read and continued`() throws {
        do {
            let spool = try Spool(path: path)
            _ = try spool.setTargets(["nats://a"])
            try fill(spool, 0..<3)
        }
        do {
            let database = try SQLiteDatabase(path: path)
            try database.run(
                "ALTER TABLE fix DROP COLUMN odometer; ALTER TABLE fix DROP COLUMN integrity;"
                    + "ALTER TABLE fix DROP COLUMN others; PRAGMA user_version=1")
        }
        let spool = try Spool(path: path)
        let bit = try spool.setTargets(["nats://a"])[0]
        try fill(spool, 3..<5)
        let rows = try all(spool, bit).map(\.row)
        #expect(rows.map(\.sequence) == [1, 2, 3, 4, 5])
        #expect(rows.map { $0["odometer"] } == [nil, nil, nil, nil, nil])
        #expect(rows[2].fix.coordinate == row(2).fix.coordinate)
    }

    @Test func `a spool without votes is continued with votes`() throws {
        do {
            let spool = try Spool(path: path)
            _ = try spool.setTargets(["nats://a"])
            try fill(spool, 0..<1)
        }
        do {
            let database = try SQLiteDatabase(path: path)
            try database.run("ALTER TABLE fix DROP COLUMN others; PRAGMA user_version=3")
        }
        let spool = try Spool(path: path)
        let bit = try spool.setTargets(["nats://a"])[0]
        var fix = row(1).fix
        fix.vote = Vote(state: .agreed, winner: "bow", witnesses: ["aft"], radius: 2.5)
        let stream = try #require(spool.streams.keys.first)
        var entries = [Spool.Entry(stream: stream, row: FixRow(fix, received: 5))]
        fix.vote = Vote(state: .disputed, winner: "bow", disagreeing: ["aft"])
        entries.append(Spool.Entry(stream: stream, row: FixRow(fix, received: 6)))
        try spool.append(&entries)
        let rows = try all(spool, bit).map(\.row)
        #expect(rows.map { $0["vote"] } == [nil, 2, 3])
        #expect(rows.map { $0["voteRadius"] } == [nil, 2.5, nil])
        #expect(rows.map { $0["voteWitnesses"] } == [nil, 1, 0])
        #expect(rows.map { $0["voteDisagreeing"] } == [nil, 0, 1])
        #expect(Array(rows.dropFirst()) == entries.map(\.row))
    }

    @Test func `appended fixes are there after the file is opened again`() throws {
        do {
            let spool = try Spool(path: path)
            _ = try spool.setTargets(["nats://a"])
            try fill(spool, 0..<3)
        }
        let spool = try Spool(path: path)
        let bit = try spool.setTargets(["nats://a"])[0]
        let entries = try all(spool, bit)
        #expect(spool.count == 3)
        #expect(entries.map(\.row.sequence) == [1, 2, 3])
        var expected = row(2)
        expected.sequence = 3
        #expect(entries.last?.row == expected)
        let stream = entries.first.flatMap { spool.streams[$0.stream] }
        #expect(stream?.member == member && stream?.boot == "boot" && stream?.origin == .live)
    }

    @Test func `sequence numbers continue after the spool was emptied and opened again`() throws {
        do {
            let spool = try Spool(path: path)
            let bit = try spool.setTargets(["a"])[0]
            try fill(spool, 0..<3)
            try spool.acknowledge([1, 2, 3], bit: bit)
            #expect(try spool.range() == nil)
        }
        let spool = try Spool(path: path)
        _ = try spool.setTargets(["a"])
        try fill(spool, 3..<4)
        #expect(try spool.range() == 4...4)
    }

    @Test func `a fix leaves the spool when every target has it`() throws {
        let spool = try Spool(path: path)
        let bits = try spool.setTargets(["a", "b"])
        try fill(spool, 0..<3)
        try spool.acknowledge([1, 2], bit: bits[0])
        #expect(spool.count == 3)
        #expect(try all(spool, bits[0]).map(\.row.sequence) == [3])
        try spool.acknowledge([2, 3], bit: bits[1])
        #expect(spool.count == 2)
        #expect(try all(spool, bits[1]).map(\.row.sequence) == [1])
        // Fixes for a removed target are dropped.
        #expect(try spool.setTargets(["a"]) == [bits[0]])
        #expect(spool.count == 1 && spool.loss.untargeted == 1)
        #expect(
            spool.loss.text(path: path) == "1 fix was dropped because its target was removed")
    }

    @Test func `fixes for an engine that has moved are kept for the new one`() throws {
        let spool = try Spool(path: path)
        let old = try spool.setTargets(["nats://old", "mqtt://other"])
        try fill(spool, 0..<3)
        try spool.acknowledge([1], bit: old[0])
        let new = try spool.setTargets(["nats://new", "mqtt://other"])
        #expect(try all(spool, new[0]).map(\.row.sequence) == [2, 3])
        #expect(try all(spool, new[1]).count == 3)
    }

    @Test func `the newest fixes can be read first`() throws {
        let spool = try Spool(path: path)
        let bit = try spool.setTargets(["a"])[0]
        try fill(spool, 0..<10)
        let newest = try spool.read(1...8, newestFirst: true, limit: 3, bit: bit)
        #expect(newest.map(\.row.sequence) == [8, 7, 6])
    }

    @Test func `a full spool thins the oldest and keeps the shape of the track`() throws {
        let spool = try Spool(path: path)
        let bit = try spool.setTargets(["a"])[0]
        // A bend of 300 m every 500 fixes; the rest is straight.
        let bend = { (second: Int) in Double(abs(second % 1000 - 500)) * 0.6 }
        try fill(spool, 0..<20_000, bend)
        let full = try spool.size()
        spool.limits.size = full * 3 / 4
        try spool.keepLimits(now: row(20_000).received)
        #expect(try spool.size() <= spool.limits.size)
        #expect(spool.loss.thinned > 4000 && spool.loss.dropped == 0)
        #expect(spool.count + spool.loss.thinned == 20_000)
        let entries = try all(spool, bit)
        // The newer half is complete.
        #expect(entries.suffix(10_000).map(\.row.sequence) == Array(10_001...20_000))
        // Every corner is kept, within the metres of the last level.
        let corners = entries.filter { ($0.row.sequence - 1) % 500 == 0 }
        #expect(corners.count == 40)
    }

    @Test func `if thinning is not enough, the oldest fixes are dropped and counted`() throws {
        let spool = try Spool(path: path)
        let bit = try spool.setTargets(["a"])[0]
        var random = SystemRandomNumberGenerator()
        try fill(spool, 0..<20_000) { _ in Double.random(in: -5000...5000, using: &random) }
        spool.limits.size = try spool.size() / 4
        for _ in 0..<3 { try spool.keepLimits(now: row(20_000).received) }
        #expect(try spool.size() <= spool.limits.size)
        #expect(spool.loss.dropped > 10_000)
        #expect(spool.count + spool.loss.thinned + spool.loss.dropped == 20_000)
        #expect(try all(spool, bit).last?.row.sequence == 20_000)
        #expect(spool.loss.text(path: path).contains("of the oldest fixes were dropped"))
    }

    @Test func `if the disk is full, the oldest fixes are dropped, and the log says why`() throws {
        let spool = try Spool(path: path)
        _ = try spool.setTargets(["a"])
        try fill(spool, 0..<3000)
        // SQLite raises the limit to the current size, so the file cannot grow.
        try spool.database.run("PRAGMA max_page_count=1")
        try fill(spool, 3000..<3500)
        #expect(spool.count == 2500)
        #expect(spool.loss.droppedByDisk == 1000 && spool.loss.dropped == 0)
        let text = spool.loss.text(path: path)
        let reason = "because the disk is full: free some space"
        #expect(text == "1000 of the oldest fixes were dropped \(reason)")
    }

    @Test func `if the disk is full, streams are added in the place of refused messages`() throws {
        let spool = try Spool(path: path)
        _ = try spool.setTargets(["a"])
        var batch = FixBatch(member: member, boot: "boot", origin: .live, rows: [row(0)])
        batch.software = String(repeating: "-", count: 100_000)
        let message = try #require(BatchFormat(for: .http).message(batch))
        try spool.setAside(
            [RefusedMessage(message: message, reason: "HTTP status 400", sequences: [1])], by: "a")
        // SQLite raises the limit to the current size, so the file cannot grow.
        try spool.database.run("PRAGMA max_page_count=1")
        let new = Array(repeating: (member: member, origin: DataOrigin.live), count: 500)
        #expect(try spool.addStreams(new, boot: "boot").count == 500)
        #expect(spool.streams.count == 500 && spool.loss.refusedLost == 1)
    }

    @Test func `fixes that are too old are dropped`() throws {
        let spool = try Spool(path: path)
        let bit = try spool.setTargets(["a"])[0]
        try fill(spool, 0..<3000)
        spool.limits.age = 1000
        try spool.keepLimits(now: row(3000).received + 1)
        // The newest fix is that of second 2999, and a fix is received 200 ms after its time.
        #expect(try all(spool, bit).first?.row.time == row(1999).time)
        #expect(spool.loss.expired == 1999 && spool.count == 1001)
        #expect(
            spool.loss.text(path: path)
                == "1999 fixes were dropped because they were older than --spool-age: raise it to keep "
                + "fixes longer")
    }

    @Test func `a bridge's clock in the future does not make fixes too old`() throws {
        let spool = try Spool(path: path)
        _ = try spool.setTargets(["a"])
        try fill(spool, 0..<3)
        let stream = try #require(spool.streams.keys.first)
        let wrong = row(3).received + 500_000_000_000
        // After a start, the receiver has no date yet.
        var entries = [
            Spool.Entry(stream: stream, row: FixRow(sequence: 0, time: nil, received: wrong))
        ]
        try spool.append(&entries)
        try spool.keepLimits(now: wrong)
        #expect(spool.count == 4 && spool.loss.expired == 0)
    }

    @Test func `old fixes of a recording, and fixes received with a clock in the past, are kept`()
        throws
    {
        let spool = try Spool(path: path)
        _ = try spool.setTargets(["a"])
        let stream = try spool.addStreams([(member, .replay)], boot: "boot")[0]
        let now = row(0).received
        var entries = [(now - 100_000_000, now), (now, 0)].map { time, received in
            Spool.Entry(
                stream: stream.number, row: FixRow(sequence: 0, time: time, received: received))
        }
        try spool.append(&entries)
        spool.limits.age = 1000
        try spool.keepLimits(now: now)
        #expect(spool.count == 2 && spool.loss.expired == 0)
    }

    @Test func `positions without a date are kept when the bridge's clock is set`() throws {
        let now = row(0).received
        // The clock was a year behind during the first fix.
        let year: Int64 = 31_536_000_000
        func append(to spool: Spool, _ received: Int64...) throws {
            let stream = try spool.addStreams([(member, .live)], boot: "boot")[0]
            var entries = received.map {
                Spool.Entry(
                    stream: stream.number, row: FixRow(sequence: 0, time: nil, received: $0))
            }
            try spool.append(&entries)
        }
        do {
            let spool = try Spool(path: path)
            _ = try spool.setTargets(["a"])
            try append(to: spool, now - year, now)
            try spool.keepLimits(now: now, runtime: 2)
            #expect(spool.count == 2 && spool.loss.expired == 0)
        }
        // The age of fixes from an earlier run is only known by the clock.
        let spool = try Spool(path: path)
        try append(to: spool, now - year, now)
        try spool.keepLimits(now: now, runtime: 2)
        #expect(spool.count == 3 && spool.loss.expired == 1)
        try spool.keepLimits(now: now, runtime: 31 * 86_400)
        #expect(spool.count == 2 && spool.loss.expired == 2)
    }

    @Test func `a spool belongs to one process, and a damaged one is renamed`() throws {
        do {
            let spool = try Spool(path: path)
            let error = #expect(throws: FleetError.self) { try Spool(path: path) }
            #expect(error?.description.contains("--spool FILE") == true)
            withExtendedLifetime(spool) {}
        }
        _ = try folder.file("spool.sqlite", Array(repeating: 0x55, count: 9000))
        var message = ""
        let spool = try Spool(path: path) { message = $0 }
        #expect(spool.count == 0)
        #expect(message.hasSuffix("spool.sqlite.damaged: file is not a database"))
    }

    @Test func `the error of a spool has its reason without the path`() {
        let missing = folder.path("missing/spool.sqlite")
        let error = #expect(throws: FleetError.self) { try Spool(path: missing) }
        #expect(error?.reason == "No such file or directory")
        #expect(error?.description == "the spool \(missing): No such file or directory")
    }

    @Test func `a path that is not a regular file is refused, and nothing is created beside it`()
        throws
    {
        // As root, files could be created beside a device such as /dev/null.
        try #require(symlink("/dev/null", path) == 0)
        let error = #expect(throws: FleetError.self) { try Spool(path: path) }
        #expect(error?.description.contains("is not a regular file") == true)
        for ending in ["-lock", "-journal", "-wal", "-reserve"] {
            #expect(access(path + ending, F_OK) != 0, "\(ending)")
        }
    }

    @Test(arguments: [nil, 0, 1, 4] as [Int?])
    func `a file of another program is refused, and stays unchanged`(version: Int?) throws {
        let sentence = "$GNRMC,074136.00,A,4812.00012,N,01622.19669,E,0.1,,261126,,,S*75\r\n"
        var bytes = Array(sentence.utf8)
        if let version {
            let other = folder.path("other.sqlite")
            try SQLiteDatabase(path: other).run(
                "CREATE TABLE place(name TEXT); PRAGMA user_version=\(version)")
            bytes = try folder.bytes("other.sqlite")
        }
        _ = try folder.file("spool.sqlite", bytes)
        for _ in 0..<2 {
            let error = #expect(throws: FleetError.self) { try Spool(path: path) }
            #expect(error?.description.contains("--spool FILE") == true)
        }
        #expect(try folder.bytes("spool.sqlite") == bytes)
        #expect(access(path + ".damaged", F_OK) != 0 && access(path + "-lock", F_OK) != 0)
    }

    @Test func `a spool that was restored without its lock is continued`() throws {
        do {
            let spool = try Spool(path: path)
            _ = try spool.setTargets(["a"])
            try fill(spool, 0..<3)
        }
        #expect(unlink(path + "-lock") == 0)
        #expect(try Spool(path: path).count == 3)
    }

    @Test(arguments: [true, false])
    func `a spool with damaged pages of fixes is renamed, too`(hasLock: Bool) throws {
        do {
            let spool = try Spool(path: path)
            _ = try spool.setTargets(["a"])
            try fill(spool, 0..<3000)
        }
        let descriptor = open(path, O_WRONLY)
        #expect(descriptor >= 0)
        defer { close(descriptor) }
        // The first pages, which contain the schema, are undamaged.
        let zeros = [UInt8](repeating: 0, count: 8192)
        #expect(pwrite(descriptor, zeros, zeros.count, 81_920) == zeros.count)
        if !hasLock { #expect(unlink(path + "-lock") == 0) }
        var message = ""
        let spool = try Spool(path: path) { message = $0 }
        #expect(message.contains("spool.sqlite.damaged"))
        _ = try spool.setTargets(["a"])
        try fill(spool, 0..<3)
        #expect(spool.count == 3)
    }
}

/// Which fixes the spool's limits remove, and which they keep.
@Suite(.timeLimit(.generous))
struct SpoolLimitsTests {
    private static let start: Int64 = 1_774_094_400_000
    private let folder: TemporaryFolder
    private var path: String { folder.path("spool.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    @Test func `fixes without a date are kept if the bridge's clock is ahead at the next start`()
        throws
    {
        func append(_ count: Int, at received: Int64, to spool: Spool) throws {
            let stream = try spool.sampleStream()
            var entries = (0..<count).map {
                Spool.Entry(
                    stream: stream.number,
                    row: FixRow(sequence: 0, time: nil, received: received + Int64($0)))
            }
            try spool.append(&entries)
        }
        do {
            let spool = try Spool(path: path)
            _ = try spool.setTargets(["a"])
            try append(3, at: Self.start, to: spool)
        }
        let spool = try Spool(path: path)
        let ahead = Self.start + 500_000_000_000
        // The new ones alone fill the part of the spool that is searched for a date.
        try append(1001, at: ahead, to: spool)
        try spool.keepLimits(now: ahead, runtime: 2)
        #expect(spool.count == 1004 && spool.loss.expired == 0)
    }

    @Test func `a full spool keeps the first and the last fix of an alarm and of a disputed vote`()
        throws
    {
        let spool = try Spool(path: path)
        let bit = try spool.setTargets(["a"])[0]
        let stream = try spool.sampleStream()
        // A straight track, with two states that are not alarms.
        var entries = (0..<6000).map { (second: Int) -> Spool.Entry in
            var fix = Fix()
            let time = Self.start + Int64(second) * 1000
            fix.time = UTCTime(unixNanoseconds: time * 1_000_000)
            fix.mode = .threeD
            fix.coordinate = Coordinate(latitude: 48, longitude: 16 + Double(second) / 7460)
            fix.integrity = Integrity(state: second % 2 == 0 ? .ok : .unknown)
            if 500..<600 ~= second { fix.integrity = Integrity(state: .alarm) }
            if second == 1500 { fix.vote = Vote(state: .disputed, winner: "bow") }
            return Spool.Entry(stream: stream.number, row: FixRow(fix, received: time))
        }
        try spool.append(&entries)
        spool.limits.size = try spool.size() * 3 / 4
        try spool.keepLimits(now: Self.start + 6_000_000)
        #expect(spool.loss.thinned > 1500 && spool.loss.dropped == 0)
        let left = try spool.read(1...2000, newestFirst: false, limit: 2000, bit: bit)
        let kept: Set<Int64> = [501, 600, 1501]
        #expect(kept.isSubset(of: left.map(\.row.sequence)))
    }
}
