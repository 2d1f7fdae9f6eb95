// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSTestSupport
import Testing

@Suite(.timeLimit(.generous))
struct ReplayAlarmTests {
    /// A server sends a receiver, then a replay, then the receiver again. The position jumps in one
    /// of these parts.
    @Test(arguments: [(0, [true, false, true]), (1, [false, true, false])])
    func `an alarm of a replay ends with it, and one of the receiver continues after it`(
        _ part: Int, _ expected: [Bool]
    ) {
        let start = MonotonicInstant.now
        let date = UTCTime(iso8601: "2026-03-21T12:00:00Z")
        let origin = OriginDetector(origin: .unknown, mayBeOld: false)
        let changes: [Receiver.Input] = [
            .opened(Receiver.Opening(device: "gps", origin: origin)), .replay, .replayEnded,
        ]
        var receiver = Receiver(canWait: false, at: start)
        var alarms: [Bool] = []
        for (index, change) in changes.enumerated() {
            let begin = 30 * index
            receiver.receive(change, at: start + .seconds(begin), date: date)
            var hasAlarm = false
            for second in begin..<begin + 30 {
                let latitude = index == part && second >= begin + 10 ? 48.3 : 48.2
                receiver.receive(
                    .bytes(ScriptedReceiver.epoch(second, latitude: latitude)),
                    at: start + .seconds(second), date: date)
                while let output = receiver.next() {
                    guard case .update(.epoch(let epoch)) = output else { continue }
                    hasAlarm = epoch.fix.integrity?.state == .alarm
                }
            }
            alarms.append(hasAlarm)
        }
        #expect(alarms == expected)
    }

    @Test func `a fix without its position during an alarm is still marked as simulated`() throws {
        let start = MonotonicInstant.now
        let date = UTCTime(iso8601: "2026-03-21T12:00:00Z")
        let origin = OriginDetector(origin: .replay, mayBeOld: false)
        var receiver = Receiver(canWait: true, at: start)
        receiver.dropsAlarms = true
        receiver.receive(
            .opened(Receiver.Opening(device: "gps", origin: origin)), at: start, date: date)
        var last: Fix?
        for second in 0..<40 {
            let latitude = second < 20 ? 48.2 : 48.21
            let bytes = ScriptedReceiver.epoch(second, latitude: latitude, quality: .simulated)
            receiver.receive(.bytes(bytes), at: start, date: date)
            while let output = receiver.next() {
                guard case .update(.epoch(let epoch)) = output else { continue }
                last = epoch.fix
            }
        }
        let fix = try #require(last)
        #expect(fix.integrity?.state == .alarm && fix.coordinate == nil)
        #expect(fix.quality == .simulated)
    }
}
