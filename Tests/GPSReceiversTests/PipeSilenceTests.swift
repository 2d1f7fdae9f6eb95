// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import NMEA
import Synchronization
import Testing

/// The silence of a source that can wait, such as a pipe. Its bytes may wait for the consumers.
@Suite(.timeLimit(.generous))
struct PipeSilenceTests {
    private let start = MonotonicInstant.now

    /// A receiver that reads a pipe, and its fixes so far.
    private final class Run {
        var receiver: Receiver
        var now: MonotonicInstant
        var fixes: [Fix] = []

        init(at start: MonotonicInstant) {
            receiver = Receiver(canWait: true, at: start)
            now = start
            let origin = OriginDetector(origin: .unknown, mayBeOld: true)
            receive(.opened(Receiver.Opening(device: "pipe", origin: origin)))
        }

        func receive(_ input: consuming Receiver.Input) {
            receiver.receive(input, at: now, date: nil)
            while let output = receiver.next() {
                if case .update(.epoch(let epoch)) = output { fixes.append(epoch.fix) }
            }
        }

        /// Advances the time while the driver waits for the consumers.
        func waitForConsumers(_ duration: Duration) {
            now = now + duration
            receiver.restartSilence(at: now)
        }

        /// Advances the time while the driver waits for bytes.
        func waitForBytes(_ duration: Duration) {
            let end = now + duration
            while let wake = receiver.wakeAt, wake <= end {
                now = max(now, wake)
                receive(.woke)
            }
            now = end
        }
    }

    @Test func `a fix is complete although its consumers were not ready for seconds within it`() {
        let run = Run(at: start)
        let second = ScriptedReceiver.epoch(1)
        // RMC and a part of GGA.
        let count = second.prefix { $0 != 0x0A }.count + 20
        run.receive(.bytes(ScriptedReceiver.epoch(0) + Array(second.prefix(count))))
        run.waitForConsumers(.seconds(5))
        run.receive(.bytes(Array(second.dropFirst(count)) + ScriptedReceiver.epoch(2)))
        run.receive(.ended(nil))
        #expect(run.fixes.map(\.altitude) == [171, 171, 171])
    }

    @Test func `a pipe is silent only while the driver waits for its bytes`() {
        let run = Run(at: start)
        run.receive(.bytes(ScriptedReceiver.epoch(0)))
        run.waitForConsumers(.seconds(5))
        run.waitForBytes(.milliseconds(199))
        #expect(run.fixes.isEmpty)
        run.waitForBytes(.milliseconds(1))
        #expect(run.fixes.count == 1)
    }

    @Test func `sentences after the silence of a pipe belong to the next epoch`() {
        let run = Run(at: start)
        for second in 0..<6 {
            var writer = SentenceWriter()
            writer.write(body: "GNGSA,A,3,05,07,13,14,,,,,,,,,1.\(second),1.0,1.6")
            run.receive(.bytes(writer.bytes + ScriptedReceiver.epoch(second)))
            run.waitForBytes(.seconds(1))
        }
        #expect(run.fixes.map(\.dilution.pdop) == [1.0, 1.1, 1.2, 1.3, 1.4, 1.5])
    }

    /// A pipe that contains one epoch. It notes how long its second read waits for bytes.
    private struct OneEpochSource: DeviceSource {
        final class Connection: DeviceConnection {
            let name = "pipe"
            private let isFirst = Atomic(true)
            private let poller: Poller
            private let waits: Witness<Duration?>

            init(_ poller: Poller, _ waits: Witness<Duration?>) {
                (self.poller, self.waits) = (poller, waits)
            }

            func read(until deadline: MonotonicInstant?) throws(DeviceError) -> DeviceInput {
                guard !isFirst.exchange(false, ordering: .relaxed) else {
                    return .bytes(ScriptedReceiver.epoch(0))
                }
                waits.note(deadline.map { poller.now.duration(to: $0) })
                return .end
            }

            func close() {}
        }

        let name = "pipe"
        let identity = SourceIdentity.unique()
        let poller: Poller
        let waits = Witness<Duration?>()
        var capabilities: SourceCapabilities { .pausing }

        func open() async throws(DeviceError) -> any DeviceConnection { Connection(poller, waits) }
    }

    @Test func `the silence of a pipe begins when the driver has waited for its consumers`() async {
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let source = OneEpochSource(poller: poller)
        let member = SessionMember()
        member.flow.setFull(true)
        let subscription = ReceiverPool(poller: poller).join(source, as: member) { _ in }
        // The driver waits for the consumers, with a time limit.
        await until { poller.waiterCount > 0 }
        clock.advance(by: .seconds(5))
        member.flow.setFull(false)
        #expect(await source.waits.first(1) == [.milliseconds(200)])
        withExtendedLifetime(subscription) {}
    }
}

/// The example of a consumer in `docs/architecture.md`.
@Suite(.timeLimit(.generous))
struct FixStateFeedTests {
    private let lines = Witness<String>()
    private let messages = Witness<String>()

    /// Reads a source to its end, and returns whether it ended without an error.
    private func read(_ source: some DeviceSource) async throws -> Bool {
        let destination = Outbox.Destination.background(.shared) { [lines] bytes in
            for line in bytes.split(separator: 0x0A) {
                lines.note(String(decoding: line, as: UTF8.self))
            }
            return 0
        }
        let log = MessageLog { [messages] text, _ in messages.note(text) }
        return try await FixStateFeed(source, to: destination, log: log).run(in: ReceiverPool())
    }

    @Test func `each change of the fix is one line, with the origin of the data`() async throws {
        let epochs = [
            ScriptedReceiver.epoch(0, quality: .invalid), ScriptedReceiver.epoch(1),
            ScriptedReceiver.epoch(2), ScriptedReceiver.epoch(3, quality: .rtkFixed),
        ]
        #expect(try await read(BytesSource(epochs.flatMap(\.self))))
        #expect(
            lines.all == [
                "no fix (replay)", "3D, satellites alone (replay)", "3D, RTK fixed (replay)",
                "no data",
            ])
        #expect(messages.all == [])
    }

    @Test func `a named tty that is missing is an error, which is not logged`() async throws {
        let folder = try TemporaryFolder()
        await #expect(throws: DeviceError.self) {
            try await read(SerialSource(folder.path("gps")))
        }
        #expect(messages.all == [])
    }

    @Test func `docs/architecture.md shows this code`() throws {
        let code = try PackageFile.text("Tests/GPSReceiversTests/FixStateFeed.swift")
            .split(separator: "\n", maxSplits: 1)
        let page = try PackageFile.text("docs/architecture.md")
        #expect(page.contains("```swift\n\(try #require(code.last))```\n"))
    }
}

/// Recordings in files and pipes, which may contain those of several receivers.
@Suite(.timeLimit(.generous))
struct JoinedRecordingTests {
    /// Returns an epoch at rest, with four satellites of each system in view.
    private func epoch(
        _ second: Int, on date: CalendarDate, latitude: Double = 48.2, _ systems: [String]
    ) -> [UInt8] {
        var (rmc, gga) = (RMC(), GGA())
        rmc.time = TimeOfDay(wrapping: Int64(43_200 + second) * 1_000_000_000)
        (rmc.date, rmc.status) = (date, UInt8(ascii: "A"))
        rmc.coordinate = Coordinate(latitude: latitude, longitude: 16.36)
        (rmc.speedKnots, rmc.mode) = (0, .autonomous)
        (gga.time, gga.coordinate, gga.quality) = (rmc.time, rmc.coordinate, .autonomous)
        (gga.satellites, gga.hdop) = (9, 1)
        var writer = SentenceWriter()
        writer.write(rmc, talker: .gnss)
        writer.write(gga, talker: .gnss)
        for system in systems {
            let entries = (0..<4).map { index in
                GSV.Entry(
                    number: (system == "GL" ? 65 : 1) + index,
                    elevation: Double(20 + 15 * index), azimuth: Double(90 * index),
                    cn0: Double(30 + 4 * index))
            }
            let list = GSV(total: 1, part: 1, inView: 4, entries: entries)
            writer.write(list, talker: Talker(rawValue: system))
        }
        return writer.bytes
    }

    /// Returns the integrity in each epoch of a recording in a file or a pipe.
    private func results(of epochs: [[UInt8]], isPipe: Bool) -> [Integrity] {
        let start = MonotonicInstant.now
        let date = UTCTime(iso8601: "2026-12-24T12:00:00Z")
        var receiver = Receiver(canWait: true, at: start)
        let origin = OriginDetector(origin: isPipe ? .unknown : .replay, mayBeOld: isPipe)
        receiver.receive(
            .opened(Receiver.Opening(device: "gps", origin: origin)), at: start, date: date)
        var results: [Integrity] = []
        for bytes in epochs {
            receiver.receive(.bytes(bytes), at: start, date: date)
            while let output = receiver.next() {
                guard case .update(.epoch(let epoch)) = output else { continue }
                results.append(epoch.fix.integrity ?? Integrity(state: .alarm))
            }
        }
        return results
    }

    /// A recording with GPS alone follows one with GPS and GLONASS.
    @Test(arguments: [2001, 2025, 2030], [false, true])
    func `satellites are not compared with those of the recording before`(
        year: Int, isPipe: Bool
    ) throws {
        let first = try #require(CalendarDate(year: 2026, month: 3, day: 21))
        let second = try #require(CalendarDate(year: year, month: 6, day: 6))
        let epochs = (0..<60).map { number in
            number < 40
                ? epoch(number, on: first, ["GP", "GL"]) : epoch(number, on: second, ["GP"])
        }
        let states = results(of: epochs, isPipe: isPipe).map(\.state)
        #expect(states.count >= 58)
        #expect(states.filter { $0 != .unknown } == [])
    }

    @Test func `an alarm of a recording does not continue in the next one`() throws {
        let former = try #require(CalendarDate(year: 2026, month: 3, day: 21))
        let latter = try #require(CalendarDate(year: 2025, month: 6, day: 6))
        // The position of the first recording jumps by a kilometre.
        let epochs = (0..<80).map { second in
            second < 40
                ? epoch(second, on: former, latitude: second < 20 ? 48.2 : 48.21, ["GP"])
                : epoch(second, on: latter, ["GP"])
        }
        let states = results(of: epochs, isPipe: false).map(\.state)
        #expect(states.prefix(38).last == .alarm)
        #expect(states.suffix(38).allSatisfy { $0 == .unknown })
    }

    @Test func `an alarm continues if the date changes seconds after midnight`() throws {
        let date = try #require(CalendarDate(year: 2026, month: 3, day: 21))
        // The position jumps by a kilometre 20 s before midnight.
        let midnight = 43_200
        let epochs = (midnight - 40..<midnight + 20).map { second in
            epoch(
                second, on: date.adding(days: second < midnight + 3 ? 0 : 1),
                latitude: second < midnight - 20 ? 48.2 : 48.21, ["GP"])
        }
        let states = results(of: epochs, isPipe: false).map(\.state)
        #expect(states.count >= 58)
        #expect(states.suffix(22).allSatisfy { $0 == .alarm })
    }

    @Test func `a recording of the same day that follows at midnight has its own state`() throws {
        let date = try #require(CalendarDate(year: 2026, month: 3, day: 21))
        // The position of the first recording jumps by a kilometre 20 s before midnight.
        let midnight = 43_200
        let first = (midnight - 40..<midnight).map { second in
            epoch(second, on: date, latitude: second < midnight - 20 ? 48.2 : 48.21, ["GP"])
        }
        let second = (midnight..<midnight + 30).map { epoch($0, on: date, ["GP"]) }
        let states = results(of: first + second, isPipe: false).map(\.state)
        #expect(states.prefix(38).last == .alarm)
        #expect(states.suffix(18).allSatisfy { $0 == .unknown })
    }

    @Test func `a recording has the same warnings through a pipe, at the times in it`() throws {
        let date = try #require(CalendarDate(year: 2019, month: 3, day: 21))
        let epochs = (0..<70).map { number in
            epoch(number, on: date, number < 40 ? ["GP", "GL"] : ["GP"])
        }
        let piped = results(of: epochs, isPipe: true)
        #expect(piped == results(of: epochs, isPipe: false))
        let warning = try #require(piped.first { $0.state == .warning })
        #expect(warning.since?.date == date)
    }
}

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
