// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSReceivers
import Testing

extension FixBatch {
    /// A batch of one fix. `change` may change the fix.
    static func sample(
        _ origin: DataOrigin = .live, _ change: (inout Fix) -> Void = { _ in }
    ) throws -> FixBatch {
        var fix = Fix()
        fix.time = UTCTime(unixNanoseconds: 1_795_000_000_400_000_000)
        fix.mode = .threeD
        fix.quality = .differential
        fix.coordinate = Coordinate(latitude: 48.208_173_2, longitude: 16.373_843)
        fix.altitude = 171.4
        fix.geoidSeparation = 44.1
        fix.speed = 10.1
        fix.course = 84.2
        fix.accuracy.horizontal = 1.2
        fix.satellitesUsed = 11
        change(&fix)
        let member = try #require(MemberName(fleet: "buses", bridge: "b-7", receiver: "roof"))
        return FixBatch(
            member: member, boot: "4f1c", origin: origin, software: "gpsbridge 1",
            rows: [FixRow(fix, sequence: 7, received: 1_795_000_000_600)])
    }
}

extension Spool {
    /// Adds the stream of a receiver.
    func sampleStream(_ receiver: String = "r", boot: String = "boot") throws -> Stream {
        let member = try #require(MemberName(fleet: "f", bridge: "b", receiver: receiver))
        return try addStreams([(member, .live)], boot: boot)[0]
    }

    /// Appends `count` fixes of each stream in one transaction, a second apart.
    func appendSamples(_ count: Int, to streams: Stream...) throws -> [Entry] {
        var entries: [Entry] = []
        for index in 0..<count {
            for stream in streams {
                let time = Int64(index) * 1000
                entries.append(
                    Entry(
                        stream: stream.number,
                        row: FixRow(sequence: 0, time: time, received: time)))
            }
        }
        try append(&entries)
        return entries
    }
}
