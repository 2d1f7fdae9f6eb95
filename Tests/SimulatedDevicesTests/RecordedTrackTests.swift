// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct RecordedTrackNMEATests {
    @Test func `NMEA becomes a track at its times, with altitudes`() throws {
        let text = [
            "$GPGGA,235958.00,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*64",
            "$GPGGA,235959.00,4807.038,N,01131.010,E,1,08,0.9,546.4,M,46.9,M,,*67",
            "$GPGGA,000003.00,4807.038,N,01131.050,E,1,08,0.9,550.4,M,46.9,M,,*66",
            "$GPGGA,000004.00,,,,,0,00,,,M,,M,,*4C",
        ].map { $0 + "\r\n" }.joined()
        let track = try #require(RecordedTrack(nmea: Array(text.utf8)))
        #expect(track.duration == 5)
        let state = track.state(after: 3)
        #expect(abs(state.altitude - 548.4) < 1e-9)
        #expect(abs(state.coordinate.longitude - (11 + 31.03 / 60)) < 1e-9)
        #expect(abs(state.climb - 1) < 1e-9)
        #expect(RecordedTrack(nmea: Array("nothing\r\n".utf8)) == nil)
    }

    @Test func `a fix that is centuries later than the others is left out of a track`() throws {
        let bodies = [("1680", "00"), ("2260", "01"), ("1680", "02")].flatMap { year, second in
            [
                "GPGGA,1200\(second).00,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
                "GPZDA,1200\(second).00,21,03,\(year),00,00",
            ]
        }
        let bytes = bodies.flatMap { body -> [UInt8] in
            let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
            return Array("$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\r\n".utf8)
        }
        #expect(try #require(RecordedTrack(nmea: bytes)).duration == 2)
    }

    @Test func `a track of times without dates may be arbitrarily long`() throws {
        let epochs = (0..<24).map { count -> [UInt8] in
            let hour = count * 11 % 24
            let time = (hour < 10 ? "0" : "") + "\(hour)0000.00"
            let body = "GPGGA,\(time),4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"
            let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
            return Array("$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\r\n".utf8)
        }
        let day = epochs.flatMap(\.self)
        let bytes = (0..<10_000).flatMap { _ in day }
        let track = try #require(RecordedTrack(nmea: bytes))
        // 292 years, the maximum.
        #expect(track.duration ?? 0 > 9.2e9)
    }
}
