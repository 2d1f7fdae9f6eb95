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
}
