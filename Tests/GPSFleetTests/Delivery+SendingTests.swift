// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSTestSupport
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

@Suite(.timeLimit(.generous))
struct ConnectionLogTests {
    private let start = MonotonicInstant.now

    @Test func `bridges that disconnect each other are reported once, not every few seconds`() {
        var log = ConnectionLog()
        var lines: [String] = []
        for round in 0..<20 {
            let time = start + .seconds(3 * round)
            lines += [log.connected(now: time)].compactMap(\.self)
            lines += [log.lasting(now: time + .seconds(1))].compactMap(\.self)
            lines += [log.disconnected("gone", now: time + .seconds(2))].compactMap(\.self)
        }
        #expect(lines.count == 8)
        #expect(lines.last?.contains("--bridge NAME") == true)
    }

    @Test func `a connection that lasts is reported again after many short ones`() {
        var log = ConnectionLog()
        for _ in 0..<4 {
            _ = log.connected(now: start)
            _ = log.disconnected("gone", now: start)
        }
        let again = log.connected(now: start)
        let early = log.lasting(now: start + .seconds(29))
        let late = log.lasting(now: start + .seconds(30))
        let second = log.lasting(now: start + .seconds(31))
        #expect([again, early, late, second] == [nil, nil, "connected", nil])
        let lost = log.disconnected("gone", now: start + .seconds(40))
        let refused = log.disconnected("refused", now: start + .seconds(50))
        #expect([lost, refused] == ["not connected: gone", "not connected: refused"])
    }
}
