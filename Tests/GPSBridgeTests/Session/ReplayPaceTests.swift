// SPDX-License-Identifier: MIT
import GPSBridge
import GPSTestSupport
import Testing

@Suite(.timeLimit(.generous))
struct ReplayPaceTests {
    private let start = MonotonicInstant.now

    /// The seconds after which each chunk's lines are due, if only waiting takes time.
    private func pauses(_ chunks: [String], speed: Double = 1) -> [Double] {
        pauses(of: chunks.map { Array($0.utf8) }, speed: speed)
    }

    private func pauses(of chunks: [[UInt8]], speed: Double = 1) -> [Double] {
        var pace = ReplayPace(speed: speed)
        var now = start
        var pauses: [Double] = []
        for bytes in chunks {
            if let due = pace.due(bytes[...], now: now) {
                pauses.append((due - now) / .seconds(1))
                now = max(now, due)
            }
        }
        return pauses
    }

    private func sentences(_ seconds: Int) -> String {
        String(decoding: ScriptedReceiver.epoch(seconds).prefix { $0 != 0x0A }, as: UTF8.self)
            + "\n"
    }

    @Test func `a recording without times is paced by its epochs`() {
        #expect(pauses([sentences(0), sentences(0), sentences(1), sentences(3)]) == [1, 2])
        #expect(pauses([sentences(0), sentences(1)], speed: 4) == [0.25])
        #expect(pauses([sentences(0), sentences(1)], speed: .infinity) == [])
    }

    @Test func `a sentence in a comment does not pace a recording`() {
        #expect(pauses([sentences(0), "# before: " + sentences(9), sentences(1)]) == [1])
    }

    @Test(arguments: [UInt8(0x20), 0x35, 0x43, 0x61])
    func `UBX messages with a time of week alone pace a recording`(_ number: UInt8) {
        let frames = [0, 0, 1, 3].map { (seconds: UInt32) in
            let time = seconds * 1000 + 157_117_000
            var frame: [UInt8] = [0x01, number, 4, 0]
            frame += (0..<4).map { UInt8(truncatingIfNeeded: time >> (8 * $0)) }
            var (a, b): (UInt8, UInt8) = (0, 0)
            for byte in frame {
                a &+= byte
                b &+= a
            }
            return [0xB5, 0x62] + frame + [a, b]
        }
        #expect(pauses(of: frames) == [1, 2])
    }

    @Test func `a recording with arrival times is paced by them`() {
        let lines = [
            "# gpsbridge recording 1\r\n", "# 2026-03-21T12:00:00.250000Z\r\n", sentences(0),
            // A stutter: two epochs arrive at once.
            "# 2026-03-21T12:00:02.750000Z\r\n", sentences(1),
            "# 2026-03-21T12:00:02.751000Z\r\n", sentences(2),
            "# 2026-03-21T12:00:03.250000Z\r\n", sentences(3),
        ]
        let pauses = pauses(lines)
        #expect(pauses.map { ($0 * 1e6).rounded() } == [2_500_000, 1000, 499_000])
        #expect(self.pauses(lines, speed: 10).first == 0.25)
    }

    @Test func `arrival times are read across chunks and midnight`() {
        let lines = [
            "# 2026-12-31T23:59:59.000000Z\r\n", "# 2027-01-", "01T00:00:01.500000Z\r\n",
            "# 2027-01-01T00:00:02.500000Z", "\r\n", "# 2027-01-01T00:00:03.000000Z\r\n",
        ]
        #expect(pauses(lines) == [2.5, 1, 0.5])
    }

    @Test func `long gaps are shortened, and a clock set back causes none`() {
        let lines = [
            "# 2026-03-21T12:00:00.000000Z\r\n", "# 2026-03-21T18:00:00.000000Z\r\n",
            "# 2026-03-21T12:00:00.000000Z\r\n", "# 2026-03-21T12:00:01.000000Z\r\n",
        ]
        #expect(pauses(lines) == [60, 0, 1])
    }

    @Test(arguments: [
        "# 2026-13-21T12:00:00.000000Z\r\n", "# 2026-03-21T12:00:00.0000000Z\r\n",
        "# 2026-03-21 12:00:00.000000Z\r\n", "# source: 2026\r\n", "#\n", "# lost\r\n",
    ])
    func `other lines are not arrival times`(_ line: String) {
        #expect(pauses(["# 2026-03-21T12:00:00.000000Z\r\n", line]) == [])
    }
}
