// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct AnnouncementsTests {
    private func batch(
        _ receiver: String, _ quantities: Instruments.Quantity...
    ) throws -> FixBatch {
        var fix = Fix()
        for quantity in quantities { fix.instruments[quantity] = 1 }
        let member = try #require(MemberName(fleet: "f", bridge: "b", receiver: receiver))
        return FixBatch(
            member: member, boot: "boot", origin: .live, rows: [FixRow(fix, received: 5)])
    }

    @Test func `a receiver is announced once, and again when it has another instrument`() throws {
        var announcements = Announcements()
        let batches = [
            try batch("a"), try batch("a"), try batch("b"), try batch("a", .depth),
            try batch("a"), try batch("a", .depth), try batch("a", .rudder),
            try batch("a", .depth, .rudder), try batch("b"),
        ]
        #expect(
            batches.map { announcements.isDue($0) }
                == [true, false, true, true, false, false, true, false, false])
    }

    @Test func `a receiver is announced again when its data turns out to be simulated`() throws {
        var announcements = Announcements()
        let live = try batch("a")
        var simulated = live
        simulated.origin = .simulated
        #expect(
            [live, simulated, simulated].map { announcements.isDue($0) } == [true, true, false])
    }
}
