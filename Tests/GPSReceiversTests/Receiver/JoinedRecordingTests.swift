// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSTestSupport
import NMEA
import Testing

/// Files that contain the recordings of several receivers.
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

    /// Returns the integrity states of a file's epochs.
    private func states(of epochs: [[UInt8]]) -> [Integrity.State] {
        let start = MonotonicInstant.now
        var receiver = Receiver(canWait: false, at: start)
        let origin = OriginDetector(origin: .replay, mayBeOld: false)
        receiver.receive(
            .opened(Receiver.Opening(device: "gps", origin: origin)), at: start, date: nil)
        var states: [Integrity.State] = []
        for bytes in epochs {
            receiver.receive(.bytes(bytes), at: start, date: nil)
            while let output = receiver.next() {
                guard case .update(.epoch(let epoch)) = output else { continue }
                states.append(epoch.fix.integrity?.state ?? .alarm)
            }
        }
        return states
    }

    /// A recording with GPS alone follows one with GPS and GLONASS.
    @Test(arguments: [2001, 2025, 2030])
    func `satellites are not compared with those of the recording before`(year: Int) throws {
        let former = try #require(CalendarDate(year: 2026, month: 3, day: 21))
        let latter = try #require(CalendarDate(year: year, month: 6, day: 6))
        let states = states(
            of: (0..<60).map { second in
                second < 40
                    ? epoch(second, on: former, ["GP", "GL"])
                    : epoch(second, on: latter, ["GP"])
            })
        #expect(states.count >= 58)
        #expect(states.filter { $0 != .unknown } == [])
    }

    @Test func `an alarm of a recording does not continue in the next one`() throws {
        let former = try #require(CalendarDate(year: 2026, month: 3, day: 21))
        let latter = try #require(CalendarDate(year: 2025, month: 6, day: 6))
        // The position of the first recording jumps by a kilometre.
        let states = states(
            of: (0..<80).map { second in
                second < 40
                    ? epoch(second, on: former, latitude: second < 20 ? 48.2 : 48.21, ["GP"])
                    : epoch(second, on: latter, ["GP"])
            })
        #expect(states.prefix(38).last == .alarm)
        #expect(states.suffix(38).allSatisfy { $0 == .unknown })
    }
}
