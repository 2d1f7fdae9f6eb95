// SPDX-License-Identifier: MIT
import FoundationEssentials
import GNSS
import GPSBridge
import GPSReceivers
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct LocationTests {
    private func make(
        origin: DataOrigin = .live, _ change: (inout Fix) -> Void = { _ in }
    ) -> Location? {
        var fix = Fix()
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.coordinate = Coordinate(latitude: 48, longitude: 16)
        fix.altitude = 171
        change(&fix)
        return ReceiverEpoch(
            fix: fix, satellites: SatelliteView(), arrival: nil, device: "tty", origin: origin,
            received: UTCTime(unixNanoseconds: 1_000_000_000)
        ).location
    }

    @Test func `unknown values are negative`() throws {
        let location = try #require(make())
        #expect(location.speed == -1 && location.course == -1)
        #expect(location.speedAccuracy == -1 && location.courseAccuracy == -1)
        #expect(location.ellipsoidalAltitude.isNaN)
        #expect(location == location)
        #expect(location.horizontalAccuracy > 0)
    }

    @Test func `speed and course accuracy are estimated from the position accuracy`() throws {
        func moving(_ speed: Double, _ horizontal: Double?) -> Location? {
            make {
                $0.speed = speed
                $0.course = 90
                $0.accuracy.horizontal = horizontal
            }
        }
        let location = try #require(moving(10, 2.5))
        #expect(location.speedAccuracy == 0.25)
        #expect(abs(location.courseAccuracy - 1.432) < 0.001)
        #expect(moving(0, 2.5)?.courseAccuracy == 180)
        // Corrections improve a position, but not a speed.
        #expect(moving(10, 0.014)?.speedAccuracy == 0.05)
        let unknown = try #require(moving(10, nil))
        #expect(unknown.speedAccuracy == -1 && unknown.courseAccuracy == -1)
        #expect(unknown.speed == 10 && unknown.course == 90)
    }

    /// The medians of `hAcc` and `sAcc` in the NAV-PVT of gpsd's recordings of u-blox receivers that are
    /// free to move, in metres and metres per second.
    @Test(arguments: [
        ("navisys-gr8013", 11.4, 1.084), ("ublox-glo", 35.6, 3.290), ("ublox-neo-m8l", 5.12, 0.247),
        ("ublox-neo-m8n", 1.13, 0.179), ("ublox-neo-m8p", 2.49, 0.323),
        ("ublox-zed-f9p-hp", 14.7, 1.034), ("ublox-zed-f9p-sfrbx", 5.25, 0.498),
        ("ublox8-uniqid-monhw", 13.2, 0.677),
    ])
    func `the speed accuracy is within a factor of 2.5 of what receivers state`(
        _ recording: String, _ horizontal: Double, _ speed: Double
    ) throws {
        let location = try #require(
            make {
                $0.speed = 1
                $0.accuracy.horizontal = horizontal
            })
        #expect(0.4...2.5 ~= location.speedAccuracy / speed)
    }

    @Test func `a location created by a program is complete and marked as simulated`() {
        let location = Location(
            coordinate: Coordinate(latitude: 48.2, longitude: 16.36), altitude: 170.7,
            horizontalAccuracy: 3.04, verticalAccuracy: 4.5, course: 90, speed: 10,
            timestamp: Date(timeIntervalSince1970: 1_774_088_120.25))
        #expect(location.sourceInformation.isSimulatedBySoftware)
        #expect(location.fix.coordinate == location.coordinate && location.fix.mode == .threeD)
        #expect(location.fix.time?.unixNanoseconds == 1_774_088_120_250_000_000)
        #expect(location.fix.speed == 10 && location.fix.ellipsoidalAltitude == nil)
        let expected =
            "2026-03-21T10:15:20Z 48.2, 16.36 ±3 m, altitude 170.7 m ±4.5 m, 10 m/s, 90° (simulated)"
        #expect("\(location)" == expected)
        #expect("\([location, location])" == "[\(expected), \(expected)]")
        #expect("\(LocationUpdate(location: location, isStationary: true))".hasSuffix("stationary"))
    }

    @Test func `the fix of a location created by a program has its known values only`() throws {
        let place = Coordinate(latitude: 48, longitude: 16)
        let time = Date(timeIntervalSince1970: 1_774_088_120)
        let vague = Location(
            coordinate: place, course: 90, speed: 10, speedAccuracy: 1, timestamp: time)
        #expect(vague.fix.accuracy.horizontal == nil && vague.fix.accuracy.course == nil)
        #expect(vague.predicted(at: time + 1) == nil)
        #expect(vague.horizontalAccuracy == 100)
        let stated = Location(coordinate: place, horizontalAccuracy: 100, timestamp: time)
        #expect(stated.fix.accuracy.horizontal == 100 && stated != vague)
        for location in [vague, stated] {
            let stored = try JSONEncoder().encode(location)
            #expect(try JSONDecoder().decode(Location.self, from: stored) == location)
        }
        let invalid = Location(coordinate: place, horizontalAccuracy: -1, timestamp: time)
        #expect(invalid.fix.accuracy == Accuracy())
        let undated = Location(
            coordinate: place, horizontalAccuracy: 3, course: 90, courseAccuracy: 2, speed: 10,
            speedAccuracy: 1, timestamp: time, isTimestampFromSystemClock: true)
        #expect(undated.fix.time == nil && undated.fix.timeOfDay == nil)
        #expect(undated.fix.accuracy.horizontal == 3 && undated.fix.accuracy.speed == 1)
        #expect(undated.fix.accuracy.course == 2)
        #expect(undated.predicted(at: time + 1) != nil)
    }

    @Test func `a two-dimensional fix has no altitude`() throws {
        let flat = try #require(make { $0.mode = .twoD })
        #expect(flat.verticalAccuracy == -1 && flat.altitude == 0)
    }

    @Test func `without a fix there is no location`() {
        #expect(make { $0.mode = .noFix } == nil)
        #expect(make { $0.coordinate = nil } == nil)
    }

    @Test func `the timestamp is the receiver's, or marked as the system's`() throws {
        let date = try #require(CalendarDate(year: 2026, month: 3, day: 21))
        let time = try #require(TimeOfDay(hour: 10, minute: 15, second: 20))
        let dated = try #require(make { $0.time = UTCTime(date: date, time: time) })
        #expect(dated.timestamp.timeIntervalSince1970 == 1_774_088_120)
        #expect(!dated.isTimestampFromSystemClock)
        let undated = try #require(make())
        #expect(undated.timestamp.timeIntervalSince1970 == 1)
        #expect(undated.isTimestampFromSystemClock)
    }

    @Test(arguments: [DataOrigin.replay, .simulated])
    func `only live data is marked as produced by a receiver`(_ origin: DataOrigin) throws {
        let location = try #require(make(origin: origin))
        #expect(location.sourceInformation.isSimulatedBySoftware)
        #expect(!location.sourceInformation.isProducedByAccessory)
    }

    @Test func `a live receiver that reports simulated fixes gives simulated locations`() throws {
        let location = try #require(make { $0.quality = .simulated })
        #expect(location.sourceInformation.isSimulatedBySoftware)
    }

    @Test(arguments: [
        (0.0, 0.0, 0.0, 1.0, 111_319.4908), (60, 0, 60, 1, 55_799.4704),
        (0, 0, 1, 0, 110_574.3886), (48, 16, 48, 16, 0), (0, 0, 0, 180, 20_003_931.459),
    ])
    func `distances follow the ellipsoid`(
        _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ metres: Double
    ) {
        let distance = Coordinate(latitude: a, longitude: b)
            .distance(from: Coordinate(latitude: c, longitude: d))
        #expect(abs(distance - metres) <= max(0.001, metres * 1e-5))
    }

    @Test func `distances are right across the date line and over a few millimetres`() {
        let east = Coordinate(latitude: 0, longitude: 179.9999)
        let west = Coordinate(latitude: 0, longitude: -179.9999)
        #expect(abs(east.distance(from: west) - 22.2639) < 0.001)
        let near = Coordinate(latitude: 48.00000001, longitude: 16)
        #expect(abs(near.distance(from: Coordinate(latitude: 48, longitude: 16)) - 0.0011) < 0.0001)
    }
}

/// Locations and satellites as JSON.
@Suite(.timeLimit(.generous))
struct StoredLocationTests {
    private let coordinate = Coordinate(latitude: 48.2, longitude: 16.36)

    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func copy<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    @Test func `a location survives JSON`() throws {
        let location = Location(
            coordinate: coordinate, altitude: 170.5, ellipsoidalAltitude: 213,
            horizontalAccuracy: 3,
            verticalAccuracy: 4.5, course: 90, courseAccuracy: 1, speed: 10, speedAccuracy: 0.1,
            timestamp: Date(timeIntervalSinceReferenceDate: 795_780_920),
            sourceInformation: SourceInformation(origin: .live, source: "gps"), device: "tty")
        #expect(try copy(location) == location)
        let update = LocationUpdate(location: location, isStationary: true)
        #expect(try copy(update) == update)
    }

    @Test func `locations are equal if all their values are equal`() throws {
        var fix = Fix()
        fix.coordinate = coordinate
        fix.mode = .twoD
        func make(_ device: String = "tty", _ satellites: SatelliteView = .init()) throws
            -> Location
        {
            let epoch = ReceiverEpoch(
                fix: fix, satellites: satellites, arrival: nil, device: device, origin: .live)
            return try #require(epoch.location)
        }
        let location = try make()
        #expect(try make() == location && make().hashValue == location.hashValue)
        #expect(try make("other") != location)
        let signal = SatelliteSignal(id: try #require(SatelliteID(.gps, 5)), signal: 1, cn0: 42)
        #expect(try make("tty", SatelliteView(signals: [signal])) != location)
        fix.geoidSeparation = 43
        #expect(try make() != location)
    }

    @Test func `the fix and the satellites of a location survive JSON`() throws {
        var fix = Fix()
        fix.mode = .threeD
        fix.quality = .differential
        fix.coordinate = coordinate
        fix.speed = 10
        fix.attitude.heading = 90
        let signal = SatelliteSignal(id: try #require(SatelliteID(.gps, 5)), signal: 1, cn0: 42)
        let epoch = ReceiverEpoch(
            fix: fix, satellites: SatelliteView(signals: [signal]), arrival: nil, device: "tty",
            origin: .live, received: UTCTime(unixNanoseconds: 1_774_088_120_000_000_000))
        let location = try #require(epoch.location)
        #expect(try copy(location) == location)
    }

    @Test(arguments: [
        #"{"coordinate":{"latitude":1e300,"longitude":-1e300},"timestamp":1e300}"#,
        #"{"coordinate":{"latitude":"nan","longitude":"inf"},"timestamp":-1e300,"speed":1e300}"#,
    ])
    func `impossible numbers do not trap`(_ json: String) throws {
        let location = try JSONDecoder().decode(Location.self, from: Data(json.utf8))
        #expect(!location.description.isEmpty)
        _ = location.distance(from: location)
    }

    @Test(arguments: [
        "{}", #"{"coordinate":{"latitude":1},"timestamp":1}"#,
        #"{"coordinate":{"latitude":1,"longitude":1},"timestamp":1,"fix":{"mode":9}}"#,
        #"{"coordinate":{"latitude":1,"longitude":1},"timestamp":1,"satellites":{"used":["G99"]}}"#,
    ])
    func `invalid JSON is not a location`(_ json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Location.self, from: Data(json.utf8))
        }
    }

    @Test func `unknown values have no key`() throws {
        let location = Location(
            coordinate: coordinate, horizontalAccuracy: 3,
            timestamp: Date(timeIntervalSinceReferenceDate: 1))
        let text = try json(location)
        for key in ["altitude", "speed", "course", "verticalAccuracy", "ellipsoidalAltitude"] {
            #expect(!text.contains("\"\(key)"))
        }
        #expect(try copy(location) == location)
    }

    @Test func `a satellite survives JSON`() throws {
        let id = try #require(SatelliteID(.gps, 5))
        let signal = SatelliteSignal(id: id, signal: 1, elevation: 45, cn0: 42)
        let satellite = Satellite(id: id, elevation: 45, cn0: 42, isUsed: true, signals: [signal])
        #expect(try copy(satellite) == satellite)
        #expect(satellite.description == "G05 elevation 45.0° 42.0 dB-Hz, used")
        #expect(try json(satellite).contains("\"id\":\"G05\""))
    }
}
