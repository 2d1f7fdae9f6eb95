// SPDX-License-Identifier: MIT
import FoundationEssentials
import GNSS
import GPSBridge
import GPSReceivers
import GPSTestTraits
import NMEA
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct PredictedLocationTests {
    private static let start = Date(timeIntervalSince1970: 1_774_094_400)

    /// A location that moves east at 10 m/s.
    private func location(
        latitude: Double = 0, longitude: Double = 16, _ change: (inout Fix) -> Void = { _ in }
    ) throws -> Location {
        var fix = Fix()
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.coordinate = Coordinate(latitude: latitude, longitude: longitude)
        fix.time = UTCTime(unixNanoseconds: 1_774_094_400_000_000_000)
        (fix.speed, fix.course) = (10, 90)
        (fix.accuracy.horizontal, fix.accuracy.speed) = (3, 0.1)
        change(&fix)
        return try #require(
            ReceiverEpoch(
                fix: fix, satellites: SatelliteView(), arrival: nil, device: "tty", origin: .live
            ).location)
    }

    @Test func `a moving receiver keeps its speed and course`() throws {
        let location = try location()
        let predicted = try #require(location.predicted(at: Self.start + 5))
        #expect(abs(predicted.coordinate.distance(from: location.coordinate) - 50) < 1e-6)
        #expect(predicted.coordinate.longitude > 16 && abs(predicted.coordinate.latitude) < 1e-9)
        #expect(abs(predicted.course - 90) < 1e-6)
        #expect(predicted.timestamp == Self.start + 5)
        #expect(predicted.location == location && predicted.quality == .estimated)
        let simulated = try self.location { $0.quality = .simulated }
        #expect(simulated.predicted(at: Self.start)?.quality == .simulated)
    }

    @Test func `the accuracy grows with time and acceleration`() throws {
        let location = try location()
        let now = try #require(location.predicted(at: Self.start))
        #expect(now.horizontalAccuracy == 3 && now.coordinate == location.coordinate)
        let radii = try (0...10).map {
            try #require(location.predicted(at: Self.start + Double($0))).horizontalAccuracy
        }
        #expect(zip(radii, radii.dropFirst()).allSatisfy { $0 < $1 })
        #expect(abs(radii[10] - 150) < 1)
        let slow = try #require(location.predicted(at: Self.start + 10, acceleration: 1))
        #expect(abs(slow.horizontalAccuracy - 50.1) < 0.1)
    }

    @Test func `a receiver that stands still stays where it is`() throws {
        for isMarked in [true, false] {
            let location = try location {
                ($0.speed, $0.course) = (0.2, isMarked ? 45 : nil)
                $0.isStationary = isMarked ? true : nil
            }
            let predicted = try #require(location.predicted(at: Self.start + 10, acceleration: 0))
            #expect(predicted.coordinate == location.coordinate && predicted.course == -1)
            // The speed of 2 m in 10 s may be true.
            #expect(predicted.horizontalAccuracy > 3.6)
        }
    }

    @Test func `there is no prediction for other times, or from unknown values`() throws {
        let location = try location()
        for seconds in [-0.001, 10.001, .infinity, -.infinity, .nan] {
            #expect(location.predicted(at: Self.start + seconds) == nil, "\(seconds)")
        }
        for acceleration in [-1, .infinity, .nan] {
            #expect(
                location.predicted(at: Self.start + 1, acceleration: acceleration) == nil,
                "\(acceleration)")
        }
        let changes: [(inout Fix) -> Void] = [
            { $0.speed = nil }, { $0.course = nil }, { $0.accuracy.horizontal = nil },
        ]
        for change in changes {
            #expect(try self.location(change).predicted(at: Self.start + 1) == nil)
        }
    }

    @Test func `a prediction crosses the antimeridian and the pole`() throws {
        let east = try location(longitude: 179.9999)
        let beyond = try #require(east.predicted(at: Self.start + 10)).coordinate
        #expect(beyond.isValid && beyond.longitude < -179.99)
        let north = try location(latitude: 89.9999) { $0.course = 0 }
        let predicted = try #require(north.predicted(at: Self.start + 10))
        #expect(predicted.coordinate.isValid && predicted.coordinate.latitude < 90)
        #expect(abs(predicted.coordinate.distance(from: north.coordinate) - 100) < 1e-6)
        #expect(abs(predicted.course - 180) < 1)
    }

    /// A drive around blocks of up to 400 m, with a stop at every third corner.
    private static func drive() throws -> Drive {
        var random = SeededGenerator(seed: 7)
        var (north, east) = (0.0, 0.0)
        return try #require(
            Drive(
                (0..<60).map { index in
                    let way = Double.random(in: -400...400, using: &random)
                    if index.isMultiple(of: 2) { north += way } else { east += way }
                    return Drive.RoutePoint(
                        Coordinate(
                            latitude: 48.2 + north / 111_200, longitude: 16.37 + east / 74_340),
                        altitude: 170, stop: index.isMultiple(of: 3) ? 20 : 0)
                }))
    }

    @Test func `the circle contains at least 68 % of the positions of a city drive`() throws {
        var configuration = SimulatedReceiver.Configuration()
        configuration.trajectory = try Self.drive()
        var receiver = SimulatedReceiver(configuration)
        var decoder = NMEADecoder()
        var locations: [Location] = []
        for _ in 0..<1200 {
            decoder.push(receiver.next().bytes.span) { event in
                guard case .fix(let fix, let view) = event else { return }
                let epoch = ReceiverEpoch(
                    fix: fix, satellites: view, arrival: nil, device: "tty", origin: .simulated)
                if let location = epoch.location { locations.append(location) }
            }
        }
        for (seconds, limit) in [(1, 3.0), (2, 6), (5, 28), (10, 100)] {
            let errors = zip(locations, locations.dropFirst(seconds)).compactMap { from, to in
                from.predicted(at: to.timestamp).map {
                    ($0.coordinate.distance(from: to.coordinate), $0.horizontalAccuracy)
                }
            }
            #expect(errors.count > 1000)
            let contained = Double(errors.count { $0.0 <= $0.1 }) / Double(errors.count)
            #expect(contained >= 0.68, "\(contained) after \(seconds) s")
            let sorted = errors.map(\.0).sorted()
            #expect(sorted[sorted.count * 95 / 100] < limit, "after \(seconds) s")
        }
    }
}
