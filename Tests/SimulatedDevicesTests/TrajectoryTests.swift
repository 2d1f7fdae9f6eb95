// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct TrajectoryTests {
    private static let vienna = Coordinate(latitude: 48.2066, longitude: 16.3634)
    private static let graz = Coordinate(latitude: 47.0707, longitude: 15.4395)

    /// One trajectory of each kind with a duration.
    private static func all() throws -> [any Trajectory] {
        let line = try #require(LineTrack(from: vienna, to: graz, speed: 250, finalAltitude: 9000))
        let drive = try #require(Drive(square))
        let creep = try #require(Drive(dense))
        let points = [(0.0, 0.0), (10, 80), (11, 95), (30, 95), (60, 600)].map {
            TrackPoint(
                seconds: $0.0, coordinate: vienna.moved(north: $0.1, east: -$0.1), altitude: $0.0)
        }
        let track = try #require(RecordedTrack(points))
        return [
            CircleTrack(), CircleTrack(radius: 50, speed: -7), CircleTrack(radius: 0),
            Stationary(at: vienna, for: 20), line, drive, creep, track,
            Journey(.stationary(at: vienna, for: 30), drive),
        ]
    }

    private static var square: [Drive.RoutePoint] {
        [(0.0, 0.0), (300, 0), (300, 200), (0, 200), (5, 5)].map {
            Drive.RoutePoint(vienna.moved(north: $0.0, east: $0.1), altitude: 170 + $0.1 / 10)
        }
    }

    /// Metres in the plane.
    private func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
        Geodesic(from: a, to: b)?.length ?? .nan
    }

    @Test func `speed, course and climb match the change of position`() throws {
        let step = 0.01
        for trajectory in try Self.all() {
            for time in stride(from: 0.503, to: 200, by: 1.37) {
                let before = trajectory.state(after: time - step / 2)
                let state = trajectory.state(after: time)
                let after = trajectory.state(after: time + step / 2)
                guard (before.course == nil) == (after.course == nil) else { continue }
                let way = try #require(Geodesic(from: before.coordinate, to: after.coordinate))
                let acceleration = abs(after.speed - before.speed)
                #expect(abs(way.length / step - state.speed) < 0.01 + acceleration, "at \(time)")
                let climb = (after.altitude - before.altitude) / step
                // A climb may begin or end within the step.
                #expect(
                    abs(climb - state.climb) < 0.01 + abs(after.climb - before.climb)
                        + acceleration,
                    "at \(time)")
                guard let course = state.course, state.speed > 1 else { continue }
                let turn = abs(
                    (way.course - course + 540).truncatingRemainder(dividingBy: 360) - 180)
                #expect(turn < 1, "at \(time): \(way.course) \(course)")
            }
        }
    }

    @Test func `the state does not depend on the order of calls`() throws {
        for trajectory in try Self.all() {
            let times = stride(from: 0.0, to: 100, by: 0.7)
            let forwards = times.map { trajectory.state(after: $0) }
            let backwards = times.reversed().map { trajectory.state(after: $0) }
            #expect(forwards == backwards.reversed())
        }
    }

    @Test func `after its end, the trajectory is at rest`() throws {
        for trajectory in try Self.all() {
            guard let duration = trajectory.duration else { continue }
            let end = trajectory.state(after: duration)
            #expect(end.speed == 0)
            #expect(end.course == nil)
            #expect(end.climb == 0)
            #expect(trajectory.state(after: duration + 1e6) == end)
            let just = trajectory.state(after: duration - 1e-6)
            #expect(distance(just.coordinate, end.coordinate) < 0.001)
        }
    }

    @Test func `the duration of a line is its length divided by its speed`() throws {
        let line = try #require(LineTrack(from: Self.vienna, to: Self.graz, speed: 100))
        let duration = try #require(line.duration)
        #expect(abs(duration - line.way.length / 100) < 1e-9)
        let middle = line.state(after: duration / 2).coordinate
        #expect(abs(distance(Self.vienna, middle) - distance(middle, Self.graz)) < 0.001)
        #expect(LineTrack(from: Self.vienna, to: Self.graz, speed: 0) == nil)
        #expect(LineTrack(from: Self.vienna, to: Self.graz, speed: .nan) == nil)
    }

    /// A waypoint every ten metres, as in a recorded track.
    private static var dense: [Drive.RoutePoint] {
        (0...30).map {
            Drive.RoutePoint(vienna.moved(north: 10 * Double($0), east: 0.1 * Double($0 % 2)))
        }
    }

    @Test(arguments: [square, dense])
    func `a drive never exceeds what the vehicle can do`(_ waypoints: [Drive.RoutePoint]) throws {
        let limits = Drive.Limits(speed: 14, acceleration: 2)
        let drive = try #require(Drive(waypoints, limits: limits))
        let duration = try #require(drive.duration)
        let step = 0.05
        var top = 0.0
        for time in stride(from: step, to: duration - step, by: step) {
            let before = drive.state(after: time - step)
            let after = drive.state(after: time)
            top = max(top, after.speed)
            #expect(after.speed <= 14.000_001)
            #expect(abs(after.speed - before.speed) <= 2 * step + 1e-9, "at \(time)")
            #expect(distance(before.coordinate, after.coordinate) <= 14.01 * step, "at \(time)")
            guard let from = before.course, let to = after.course else { continue }
            let turn = abs((to - from + 540).truncatingRemainder(dividingBy: 360) - 180)
            let sidewards = turn * .pi / 180 / step * min(before.speed, after.speed)
            #expect(sidewards <= 2.05, "at \(time)")
        }
        #expect(top > 6)
    }

    @Test func `a drive passes its waypoints within the permitted distance`() throws {
        let drive = try #require(Drive(Self.square, limits: Drive.Limits(deviation: 4)))
        let duration = try #require(drive.duration)
        let states = stride(from: 0, through: duration, by: 0.02).map { drive.state(after: $0) }
        for waypoint in Self.square {
            let nearest = states.map { distance($0.coordinate, waypoint.coordinate) }.min()
            #expect(try #require(nearest) < 4.1)
        }
    }

    @Test func `a drive stops at a waypoint with a stop, and may turn on the spot`() throws {
        let there = Self.vienna.moved(north: 100, east: 0)
        let drive = try #require(
            Drive([
                Drive.RoutePoint(Self.vienna, stop: 5), Drive.RoutePoint(there, stop: 60),
                Drive.RoutePoint(Self.vienna),
            ]))
        // 100 m at 2 m/s² up to 14 m/s: 7 s and 49 m each to accelerate and to brake.
        let oneWay = 14 + 2 / 14.0
        #expect(abs(try #require(drive.duration) - (5 + oneWay + 60 + oneWay)) < 0.001)
        #expect(drive.state(after: 4).speed == 0)
        let waiting = drive.state(after: 40)
        #expect(waiting.speed == 0)
        #expect(distance(waiting.coordinate, there) < 0.001)
        let back = try #require(
            Drive([
                Drive.RoutePoint(Self.vienna), Drive.RoutePoint(there),
                Drive.RoutePoint(Self.vienna),
            ])
        )
        #expect(abs(try #require(back.duration) - 2 * oneWay) < 0.001)
    }

    @Test func `two equal waypoints are one, with the stops of both`() throws {
        let there = Self.vienna.moved(north: 100, east: 0)
        let one = try #require(
            Drive([Drive.RoutePoint(Self.vienna, stop: 9), Drive.RoutePoint(there, stop: 7)]))
        let two = try #require(
            Drive([
                Drive.RoutePoint(Self.vienna, stop: 4), Drive.RoutePoint(Self.vienna, stop: 5),
                Drive.RoutePoint(there, stop: 3), Drive.RoutePoint(there, stop: 4),
            ]))
        #expect(two.duration == one.duration)
        #expect(two.state(after: 8.9).speed == 0)
        let stand = Drive([Drive.RoutePoint(Self.vienna), Drive.RoutePoint(Self.vienna, stop: 30)])
        #expect(stand?.duration == 30)
    }

    @Test func `a drive to one place is at rest; a drive without waypoints cannot be created`()
        throws
    {
        let drive = try #require(Drive([Drive.RoutePoint(Self.vienna, altitude: 7, stop: 3)]))
        #expect(drive.duration == 3)
        #expect(drive.state(after: 1) == TrueState(coordinate: Self.vienna, altitude: 7))
        #expect(Drive([]) == nil)
        #expect(Drive([Drive.RoutePoint(Coordinate(latitude: 100, longitude: 0))]) == nil)
    }

    @Test func `each part of a journey begins when the one before it has ended`() throws {
        let drive = try #require(Drive(Self.square))
        let journey = Journey(
            .stationary(at: Self.vienna, altitude: 170, for: 30), drive, CircleTrack())
        #expect(journey.duration == nil)
        #expect(journey.state(after: 29).speed == 0)
        #expect(journey.state(after: 35) == drive.state(after: 5))
        let end = 30 + (try #require(drive.duration))
        #expect(journey.state(after: end + 3) == CircleTrack().state(after: end + 3 - end))
        #expect(Journey(CircleTrack(), drive).state(after: 1e4) == CircleTrack().state(after: 1e4))
    }

    @Test
    func `a recorded track leaves out points that go back in time or have no valid coordinate`()
        throws
    {
        let here = Self.vienna
        let track = try #require(
            RecordedTrack([
                TrackPoint(seconds: 0, coordinate: here),
                TrackPoint(seconds: 10, coordinate: here.moved(north: 10, east: 0)),
                TrackPoint(seconds: 5, coordinate: here.moved(north: 900, east: 0)),
                TrackPoint(seconds: 15, coordinate: Coordinate(latitude: .nan, longitude: 0)),
                TrackPoint(seconds: 20, coordinate: here.moved(north: 20, east: 0)),
            ]))
        #expect(track.duration == 20)
        #expect(abs(distance(here, track.state(after: 15).coordinate) - 15) < 0.001)
        #expect(RecordedTrack([TrackPoint]()) == nil)
    }

    @Test func `a recorded track crosses the date line the short way`() throws {
        let west = Coordinate(latitude: -17, longitude: 179.999)
        let east = Coordinate(latitude: -17, longitude: -179.999)
        let points = [west, east].map { TrackPoint(seconds: 0, coordinate: $0) }
        let track = try #require(RecordedTrack(points, speed: 10))
        #expect(try #require(track.duration) < 25)
        let middle = track.state(after: try #require(track.duration) / 2).coordinate
        #expect(abs(abs(middle.longitude) - 180) < 1e-6)
    }
}

/// Offsets in metres north and east, at any place.
@Suite(.timeLimit(.generous))
struct CoordinateMovedTests {
    private static let places = [
        Coordinate(latitude: 0, longitude: 180), Coordinate(latitude: 48.2, longitude: 16.4),
        Coordinate(latitude: -88.99, longitude: 5), Coordinate(latitude: 89.9995, longitude: -60),
        Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: -90, longitude: 77),
    ]

    @Test(arguments: places, [1.0, 100, 9000, 100_000])
    func `the distance is as requested, also at the poles and far away`(
        _ place: Coordinate, _ metres: Double
    ) throws {
        for (north, east) in [(1.0, 0.0), (0, 1), (-0.8, 0.6)] {
            let there = place.moved(north: metres * north, east: metres * east)
            #expect(there.isValid)
            let way = try #require(Geodesic(from: place, to: there))
            #expect(abs(way.length - metres) <= metres * 0.01)
        }
        let same = try #require(Geodesic(from: place, to: place.moved(north: 0, east: 0)))
        #expect(same.length == 0)
    }

    @Test(arguments: [(90.0, 100.0), (-90, 100), (89.9995, 100), (70, 100_000), (48, 20_000)])
    func `a circle is round, and its course is the direction of movement`(
        _ latitude: Double, _ radius: Double
    ) throws {
        let circle = CircleTrack(
            center: Coordinate(latitude: latitude, longitude: 10), radius: radius, speed: 10)
        for second in stride(from: 0.0, to: 60, by: 7) {
            let state = circle.state(after: second)
            let spoke = try #require(Geodesic(from: circle.center, to: state.coordinate))
            #expect(abs(spoke.length - radius) < radius * 1e-6)
            let next = circle.state(after: second + 0.01).coordinate
            let way = try #require(Geodesic(from: state.coordinate, to: next))
            #expect(abs(way.length - 0.1) < 0.001)
            let turn = (way.course - (state.course ?? -1) + 540).truncatingRemainder(
                dividingBy: 360)
            #expect(abs(turn - 180) < 0.1, "at \(second) s")
        }
    }
}

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
