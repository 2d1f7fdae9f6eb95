// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSTestSupport
import Testing

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
