// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSReceivers
import Testing

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
