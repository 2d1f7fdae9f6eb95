// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSTestSupport
import Testing

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
