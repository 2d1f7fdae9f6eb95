// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

/// The distance that a receiver moves.
@Suite(.timeLimit(.generous))
struct OdometerTests {
    /// A fix a number of seconds after noon, at an offset in metres to the east and north.
    private func fix(
        _ seconds: Double, east: Double = 0, north: Double, speed: Double? = nil,
        course: Double? = nil, isDated: Bool = true
    ) -> Fix {
        var fix = Fix()
        fix.mode = .threeD
        fix.quality = .autonomous
        let time = UTCTime(unixNanoseconds: 1_774_094_400_000_000_000 + Int64(seconds * 1e9))
        fix.time = isDated ? time : nil
        fix.timeOfDay = time?.time
        fix.coordinate = Coordinate(
            latitude: 10 + north / 110_600, longitude: 16 + east / 109_640)
        (fix.speed, fix.course) = (speed, course)
        fix.accuracy.horizontal = 3
        return fix
    }

    @Test func `after rest the distance counts from the first moving fix`() {
        var odometer = Odometer()
        for second in 0..<20 { odometer.add(fix(Double(second), north: 0, speed: 0, course: 0)) }
        for second in 0...10 {
            let way = Double(second * second) / 2
            odometer.add(
                fix(20 + Double(second), north: way, speed: Double(second), course: 0))
        }
        #expect(abs(odometer.distance - 50) < 0.6)
        #expect(abs(odometer.movingTime - 10) <= 1)
        #expect(odometer.maximumSpeed == 10)
    }

    @Test(arguments: [1, 0.1])
    func `the distance before a stop is counted, and no distance during the stop`(_ step: Double) {
        var odometer = Odometer()
        // Not a whole number of strides.
        let count = Int(21.5 / step)
        let (end, way) = (Double(count) * step, 2 * Double(count) * step)
        for index in 0...count {
            let seconds = Double(index) * step
            odometer.add(fix(seconds, north: 2 * seconds, speed: 2, course: 0))
        }
        for index in 1...Int(100 / step) {
            let seconds = Double(index) * step
            let wander = way + seconds.truncatingRemainder(dividingBy: 20) / 4
            odometer.add(fix(end + seconds, north: wander, speed: 0.05, course: 0))
        }
        // About half a metre in the second of the stop.
        #expect(abs(odometer.distance - way) < 1.2)
        #expect(odometer.movingTime < 25)
    }

    @Test func `the date may arrive later, with midnight in between`() {
        var odometer = Odometer()
        for second in 0..<100 {
            let seconds = 43_150 + Double(second)
            odometer.add(
                fix(
                    seconds, north: 5 * Double(second), speed: 5, course: 0, isDated: second > 70))
        }
        #expect(abs(odometer.distance - 495) < 1)
        #expect(abs(odometer.movingTime - 99) < 1.5)
    }

    @Test func `the first leg counts if fixes with a speed are far apart`() {
        var odometer = Odometer()
        odometer.add(fix(0, north: 0, speed: 10, course: 0))
        odometer.add(fix(30, north: 300, speed: 10, course: 0))
        #expect(abs(odometer.distance - 300) < 1)
        #expect(odometer.movingTime == 30)
        odometer.add(fix(60, north: 600, speed: 10, course: 0))
        #expect(abs(odometer.distance - 600) < 1)
        #expect(odometer.movingTime == 60)
    }

    @Test func `slow speeds are integrated with their course`() {
        var odometer = Odometer()
        for second in 0..<300 {
            let aside = [30.0, -30, 25, -25][second % 4]
            odometer.add(
                fix(
                    Double(second), north: Double(second), speed: 1 / 0.883,
                    course: aside < 0 ? 360 + aside : aside))
        }
        #expect(abs(odometer.distance - 299) < 9)
    }

    @Test func `positions without times are joined by straight lines`() {
        var odometer = Odometer()
        for index in 0..<100 {
            var fix = fix(
                0, east: Double(min(index, 50) * 10), north: Double(max(0, index - 50) * 10))
            (fix.time, fix.timeOfDay) = (nil, nil)
            odometer.add(fix)
        }
        #expect(abs(odometer.distance - 990) < 6)
        #expect(odometer.movingTime == 0)
    }

    @Test func `the same path in both directions counts twice`() {
        var odometer = Odometer()
        for second in 0...200 {
            odometer.add(fix(Double(second), north: Double(100 - abs(100 - second)) * 2))
        }
        #expect(abs(odometer.distance - 400) < 8)
    }

    @Test func `speeds that are too low by half are corrected by the positions`() {
        var odometer = Odometer()
        for second in 0..<600 {
            odometer.add(fix(Double(second), north: 8 * Double(second), speed: 4, course: 0))
        }
        #expect(abs(odometer.distance / 4792 - 1) < 0.05)
        #expect(odometer.maximumSpeed == 4)
    }

    @Test func `a single jump of the position adds no distance`() {
        var odometer = Odometer()
        for second in 0..<600 {
            let jump = second > 300 ? 40.0 : 0
            odometer.add(
                fix(Double(second), north: 2 * Double(second) + jump, speed: 2, course: 0))
        }
        #expect(abs(odometer.distance - 1198) < 2)
    }

    @Test(arguments: [1, 5])
    func `a position that jumps and is back within seconds adds no distance`(_ seconds: Int) {
        var odometer = Odometer()
        for second in 0..<600 {
            let jump = 300..<300 + seconds ~= second ? 500.0 : 0
            odometer.add(
                fix(
                    Double(second), east: jump, north: 5 * Double(second), speed: 5, course: 0))
        }
        #expect(abs(odometer.distance - 2995) < 6)
        #expect(odometer.maximumSpeed == 5)
    }

    @Test(arguments: [1, 5])
    func `a jump of positions without speeds is not the maximum speed`(_ seconds: Int) throws {
        // At an even and at an odd second: one of them is where two intervals meet.
        let jumps = [300..<300 + seconds, 401..<401 + seconds]
        var odometer = Odometer()
        for second in 0..<600 {
            let east = jumps.contains { $0 ~= second } ? 500.0 : 0
            odometer.add(fix(Double(second), east: east, north: 10 * Double(second)))
        }
        let average = try #require(odometer.averageSpeed)
        #expect(try #require(odometer.maximumSpeed) <= max(average, 10.5))
    }

    @Test func `a speed that nothing reaches in a second is not the maximum speed`() {
        var odometer = Odometer()
        for second in 0..<300 {
            let speed = 150..<152 ~= second ? 500.0 : second < 200 ? 5 : 30
            odometer.add(fix(Double(second), north: 5 * Double(second), speed: speed, course: 0))
            #expect(odometer.maximumSpeed == (second < 200 ? 5 : 30))
        }
    }

    @Test func `fixes that have no speed now and then do not raise the maximum speed`() {
        var odometer = Odometer()
        for second in 0..<600 {
            let speed = second % 100 == 10 ? nil : 5.0
            odometer.add(fix(Double(second), north: 5 * Double(second), speed: speed, course: 0))
        }
        #expect(odometer.maximumSpeed == 5)
    }

    @Test func `distances across the date line are short`() {
        var odometer = Odometer()
        for second in 0..<100 {
            var fix = fix(Double(second), north: 0)
            let longitude = 179.9995 + Double(second) * 1e-5
            fix.coordinate = Coordinate(
                latitude: 0, longitude: longitude > 180 ? longitude - 360 : longitude)
            odometer.add(fix)
        }
        #expect(abs(odometer.distance - 110.2) < 2)
    }

    @Test func `an earlier fix begins a new segment`() {
        var odometer = Odometer()
        for second in 0..<50 {
            odometer.add(fix(Double(second), north: 10 * Double(second), speed: 10, course: 0))
        }
        for second in 0..<50 {
            odometer.add(
                fix(Double(second) - 500, north: 9000 + 10 * Double(second), speed: 10, course: 0))
            #expect(odometer.beganSegment == (second == 0))
        }
        #expect(abs(odometer.distance - 980) < 2)
    }
}
