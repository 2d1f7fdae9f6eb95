// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import SimulatedDevices
import Testing

/// The detection of rest and motion.
@Suite(.timeLimit(.generous))
struct MotionDetectorTests {
    private let place = Coordinate(latitude: 48.2, longitude: 16.37)

    private func fix(_ speed: Double?, accuracy: Double? = 3) -> Fix {
        var fix = Fix()
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.speed = speed
        fix.accuracy.horizontal = accuracy
        fix.timeOfDay = TimeOfDay(hour: 12, minute: 0, second: 0)
        return fix
    }

    /// Returns the place that is `north` metres to the north.
    private func place(_ north: Double) -> Coordinate {
        Coordinate(latitude: place.latitude + north / 111_200, longitude: place.longitude)
    }

    /// Returns the state after each second, for the given speeds and places (default: from the speeds).
    private func states(
        _ speeds: [Double?], places: [Double]? = nil, accuracy: Double? = 3
    ) -> [MotionDetector.State] {
        var detector = MotionDetector()
        var north = 0.0
        return speeds.enumerated().map { second, speed in
            north = places.map { $0[second] } ?? north + (speed ?? 0)
            detector.add(
                fix(speed, accuracy: accuracy), at: place(north), after: second == 0 ? nil : 1)
            return detector.state
        }
    }

    private func repeated(_ speed: Double?, _ count: Int) -> [Double?] {
        Array(repeating: speed, count: count)
    }

    @Test func `a receiver is at rest after five slow seconds and moves after two fast fixes`() {
        let states = states(repeated(0.02, 6) + repeated(1.4, 5) + repeated(0, 12))
        #expect(states.prefix(5).allSatisfy { $0 == .unknown })
        #expect(states[5] == .atRest && states[6] == .atRest)
        #expect(states[7] == .moving)
        #expect(states.suffix(1) == [.atRest])
    }

    @Test func `one fast fix is not motion`() {
        #expect(
            states(repeated(0, 10) + [2] + repeated(0, 9), places: .init(repeating: 0, count: 20))
                .last == .atRest)
    }

    @Test func `between slow and fast the state does not change`() {
        let slow = Array(repeating: 0.45 as Double?, count: 4)
        #expect(states(repeated(0, 8) + slow).last == .atRest)
        #expect(states(repeated(1, 8) + repeated(0.45, 120)).last == .moving)
    }

    @Test func `without speeds, rest and motion are detected from positions, later`() {
        let still = Array(repeating: 0.0, count: 12)
        #expect(states(repeated(nil, 12), places: still)[9] == .unknown)
        #expect(states(repeated(nil, 12), places: still)[10] == .atRest)
        let away = still + (1...8).map { Double($0) }
        #expect(states(repeated(nil, 20), places: away).last == .atRest)
        #expect(states(repeated(nil, 24), places: away + [9, 9.5, 10, 11]).last == .moving)
    }

    @Test
    func `a position that drifts farther than its accuracy is at rest while the speed is 0`() {
        let wander = (0..<60).map { 8 * Double($0 % 30) / 30 }
        #expect(states(repeated(0.03, 60), places: wander).suffix(40).allSatisfy { $0 == .atRest })
        let away = (0..<60).map { Double($0) * 2 }
        #expect(states(repeated(0, 60), places: away).last == .moving)
    }

    @Test func `a jump of the first positions is not motion`() {
        let converging = [0.0, 30, 60] + Array(repeating: 61.0, count: 60)
        #expect(
            states(repeated(0.02, 63), places: converging, accuracy: 9).allSatisfy { $0 != .moving }
        )
    }

    @Test(arguments: [nil, 0.05, 0.2] as [Double?])
    func `a single jump of the position at rest is not motion`(_ speed: Double?) {
        let places = (0..<100).map { [50, 70, 71, 72, 90].contains($0) ? 500.0 : 0 }
        let states = states(repeated(speed, 100), places: places)
        #expect(states[20..<70].allSatisfy { $0 == .atRest })
        // Three positions are not a single jump.
        #expect((states[71] == .moving) == (speed != 0.05))
    }

    @Test func `the noise of speeds at rest is learned`() {
        let noise = (0..<600).map { [0.2, 0.6, 0.7, 0.1, 0.4][$0 % 5] as Double? }
        let places = (0..<600).map { Double($0 % 7) / 7 }
        let states = states(noise, places: places)
        #expect(states.suffix(300).allSatisfy { $0 == .atRest })
    }

    @Test func `a change of quality restarts the five seconds`() {
        var detector = MotionDetector()
        for second in 0..<8 {
            var fix = fix(0)
            fix.quality = second < 4 ? .autonomous : .differential
            detector.add(fix, at: place, after: second == 0 ? nil : 1)
        }
        #expect(detector.state == .unknown)
    }

    @Test(arguments: [Double.nan, -1, .infinity, 1e300])
    func `impossible speeds are not motion`(_ value: Double) {
        var detector = MotionDetector()
        for second in 0..<20 {
            detector.add(fix(value, accuracy: value), at: place, after: second == 0 ? nil : 1)
        }
        #expect(detector.state != .moving || value == 1e300)
    }
}

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
