// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSTestSupport
import NMEA
import Testing

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
