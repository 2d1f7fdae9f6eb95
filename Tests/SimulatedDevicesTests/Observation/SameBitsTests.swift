// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct SameBitsTests {
    /// FNV-1a over the bits of numbers.
    private struct Digest {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func add(_ bits: UInt64) {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                value = (value ^ (bits >> shift & 0xFF)) &* 0x100_0000_01B3
            }
        }

        mutating func add(_ numbers: Double?...) {
            for number in numbers { add(number?.bitPattern ?? 1) }
        }
    }

    private func digest(_ observation: SimulatedObservation, _ digest: inout Digest) {
        digest.add(UInt64(bitPattern: observation.time?.unixNanoseconds ?? 0))
        let state = observation.truth.state
        digest.add(
            state.coordinate.latitude, state.coordinate.longitude, state.altitude, state.speed,
            state.course, state.climb)
        for satellite in observation.satellites {
            digest.add(UInt64(satellite.id.svid))
            digest.add(satellite.elevation, satellite.azimuth, satellite.signals.first?.cn0)
        }
        guard let solution = observation.solution else { return }
        digest.add(
            solution.coordinate.latitude, solution.coordinate.longitude, solution.altitude,
            solution.speed, solution.course, solution.climb)
        digest.add(
            solution.dilution.hdop, solution.dilution.vdop, solution.dilution.gdop,
            solution.deviations.semiMajor, solution.deviations.orientation)
    }

    // Computed once. If another machine gives different bits, some function depends on the machine;
    // after a change of the model, enter the new values.
    @Test func `a run has the same bits on every machine`() throws {
        var configuration = Observer.Configuration(
            start: try #require(UTCTime(unixNanoseconds: 1_795_132_800_000_000_000)))
        let home = Coordinate(latitude: 48.2066, longitude: 16.3634)
        let places = [(0.0, 0.0), (300, 20), (280, 400)].map {
            Drive.Waypoint(home.moved(north: $0.0, east: $0.1), altitude: 170 + $0.0 / 10)
        }
        configuration.trajectory = Journey(
            .stationary(at: home, altitude: 170, for: 10), try #require(Drive(places)),
            CircleTrack())
        configuration.signals = [
            .gps: [1], .glonass: [1], .galileo: [7], .beiDou: [1], .qzss: [1], .sbas: [1],
        ]
        configuration.surroundings = .urban()
        configuration.acquisition = .warm
        var observer = Observer(configuration)
        var digest = Digest()
        for step in 0..<500 { self.digest(observer.observe(after: Double(step) / 4), &digest) }
        #expect(digest.value == 13_342_817_951_047_055_849)
    }
}
