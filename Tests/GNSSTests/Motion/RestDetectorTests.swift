// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import SimulatedDevices
import Testing

/// Whether fixes of simulated receivers, whose errors change slowly, are recognised as rest or motion.
@Suite(.timeLimit(.generous))
struct RestDetectorTests {
    private func states(_ fixes: [Fix]) -> [Bool?] {
        var detector = RestDetector()
        return fixes.map { detector.isStationary(after: $0) }
    }

    /// Fixes at one place, once a second: the error of each axis is a Gauss-Markov process of 2.1 m, and that of
    /// the velocity is 0.05 m/s.
    private func anchored(_ seconds: Int, _ correlation: Double, _ seed: UInt64) -> [Fix] {
        var random = SeededGenerator(seed: seed)
        let keep = PortableMath.exp(-1 / correlation)
        let fresh = (1 - keep * keep).squareRoot()
        var (north, east) = (random.normal(), random.normal())
        return (0..<seconds).map { second in
            var fix = Fix()
            (fix.mode, fix.quality) = (.threeD, .autonomous)
            fix.time = UTCTime(unixNanoseconds: (1_774_094_400 + Int64(second)) * 1_000_000_000)
            fix.coordinate = SimulatedWay.place.moved(north: 2.1 * north, east: 2.1 * east)
            let (v, w) = (0.05 * random.normal(), 0.05 * random.normal())
            fix.speed = (v * v + w * w).squareRoot()
            fix.accuracy.horizontal = 2.1 * 1.51
            north = keep * north + fresh * random.normal()
            east = keep * east + fresh * random.normal()
            return fix
        }
    }

    @Test(arguments: [10.0, 60, 300], [1, 2] as [UInt64])
    func `twelve hours at anchor are 99 % stationary and at most 5 m long`(
        _ correlation: Double, _ seed: UInt64
    ) {
        let fixes = anchored(43_200, correlation, seed)
        #expect(states(fixes).count { $0 == true } >= 42_768)
        var odometer = Odometer()
        for fix in fixes { odometer.add(fix) }
        #expect(odometer.distance <= 5)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `walking is recognised within 3 s, and stays recognised`(_ seed: UInt64) throws {
        let place = SimulatedWay.place
        let track = try #require(
            RecordedTrack([
                TrackPoint(seconds: 0, coordinate: place, altitude: 3),
                TrackPoint(seconds: 300, coordinate: place, altitude: 3),
                TrackPoint(
                    seconds: 900, coordinate: place.moved(north: 840, east: 0), altitude: 3),
            ]))
        let states = states(SimulatedWay(track, seconds: 880, seed: seed).fixes)
        #expect(states[200..<300].allSatisfy { $0 == true })
        #expect(states[304...].allSatisfy { $0 == false })
    }

    @Test func `the state is unknown at first, after a gap and without a position`() {
        let way = SimulatedWay(.stationary(at: SimulatedWay.place, altitude: 3), seconds: 60)
        let states = states(Array(way.fixes[0..<20] + way.fixes[40..<60]))
        #expect(states[0..<5].allSatisfy { $0 == nil })
        #expect(states[10..<20].allSatisfy { $0 == true })
        #expect(states[20..<25].allSatisfy { $0 == nil })
        #expect(states.last == true)
        var detector = RestDetector()
        for fix in way.fixes { _ = detector.isStationary(after: fix) }
        #expect(detector.isStationary(after: Fix()) == nil)
        #expect(way.fixes.last.flatMap { detector.isStationary(after: $0) } == nil)
    }

    @Test func `positions alone that are worse than 20 m show nothing`() {
        let way = SimulatedWay(.stationary(at: SimulatedWay.place, altitude: 3), seconds: 120)
        let coarse = way.fixes.map { fix in
            var fix = fix
            fix.removeSpeed()
            fix.accuracy.horizontal = 25
            return fix
        }
        #expect(states(coarse).allSatisfy { $0 == nil })
    }
}
