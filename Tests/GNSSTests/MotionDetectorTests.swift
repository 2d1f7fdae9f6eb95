// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
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
