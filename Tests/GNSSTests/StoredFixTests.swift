// SPDX-License-Identifier: MIT
import FoundationEssentials
import GNSS
import GPSTestTraits
import Testing

/// Fixes and satellites as JSON.
@Suite(.timeLimit(.generous))
struct StoredFixTests {
    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func read<Value: Decodable>(_ json: String, as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    private func copy<Value: Codable>(_ value: Value) throws -> Value {
        try read(json(value), as: Value.self)
    }

    private static let day = CalendarDate(year: 2026, month: 3, day: 21)

    @Test func `a station with more than five digits is stored`() throws {
        var fix = Fix()
        fix.correctionStation = 999_999_999
        #expect(try copy(fix) == fix)
    }

    private func fullFix() throws -> Fix {
        let time = try #require(
            TimeOfDay(hour: 10, minute: 15, second: 20, nanosecond: 123_456_789))
        var fix = Fix()
        fix.time = UTCTime(date: try #require(Self.day), time: time)
        fix.receivedDate = CalendarDate(year: 2006, month: 8, day: 5)
        fix.timeOfDay = time
        fix.mode = .threeD
        fix.quality = .rtkFloat
        fix.coordinate = Coordinate(latitude: 48.207488312345678, longitude: -0.1)
        let numbers: [WritableKeyPath<Fix, Double?>] = [
            \.altitude, \.ellipsoidalAltitude, \.geoidSeparation, \.speed, \.course,
            \.magneticCourse, \.magneticVariation, \.correctionAge, \.attitude.heading,
            \.attitude.magneticHeading, \.attitude.headingAccuracy, \.attitude.pitch,
            \.attitude.roll, \.attitude.heave, \.attitude.rateOfTurn, \.dilution.hdop,
            \.dilution.vdop, \.dilution.pdop, \.accuracy.horizontal, \.accuracy.vertical,
            \.accuracy.spherical,
            \.standardDeviation.latitude, \.standardDeviation.longitude,
            \.standardDeviation.altitude, \.standardDeviation.semiMajor,
            \.standardDeviation.semiMinor, \.standardDeviation.orientation,
            \.standardDeviation.range, \.climb, \.accuracy.speed, \.accuracy.course,
            \.accuracy.time,
        ]
        for (index, number) in numbers.enumerated() {
            fix[keyPath: number] = 0.1 * Double(index + 1) - 1
        }
        fix.accuracy.source = .expectedErrors
        fix.correctionStation = 120
        fix.covariance = Covariance(rows: [1.5, -0.25, 0.1, 2, 0.3, 4])
        fix.velocityCovariance = Covariance(rows: [0.1, 0, 0.01, 0.2, 0, 0.3])
        fix.protectionLevel = ProtectionLevel(horizontal: 3, vertical: 5, risk: 1e-6)
        fix.jamming = .warning
        fix.spoofing = .indicated
        fix.interferenceLevel = 17
        fix.correctionSource = .rtcm
        fix.jammedFrequency = 1_575_420_000
        fix.gain = 0.5
        fix.receiverClock = ReceiverClock(bias: -250, drift: 12)
        fix.leapSeconds = 18
        fix.antenna = .open
        fix.temperature = -12
        fix.receiverAuthentication = .authenticated
        fix.authentication = FixAuthentication(
            state: .partial, satellites: 7, authenticated: 5, failed: 1)
        fix.integrity = Integrity(
            state: .warning, since: fix.time,
            reasons: [
                .init(
                    test: .signalFall, value: 7, threshold: 6, unit: "dB", since: fix.time,
                    text: "fell")
            ], evidence: [.signals])
        fix.vote = Vote(
            state: .agreed, winner: "a", witnesses: ["b"], disagreeing: ["c"], radius: 2.5)
        fix.isStationary = true
        fix.followsRepeatedTimes = true
        fix.corrections.state = .flowing
        fix.details.x = 4_158_801.17
        fix.satellitesUsed = 9
        fix.satellitesInView = 17
        return fix
    }

    @Test func `a fix with all properties survives storing`() throws {
        let fix = try fullFix()
        // A new property must also be stored.
        let parts: [Any] = [
            fix, fix.attitude, fix.dilution, fix.accuracy, fix.standardDeviation,
        ]
        for property in parts.flatMap({ Mirror(reflecting: $0).children }) {
            #expect("\(property.value)" != "nil", "\(property.label ?? "") is not set here")
        }
        #expect(try copy(fix) == fix)
    }

    @Test func `unknown values have no key and stay unknown`() throws {
        #expect(try json(Fix()) == #"{"mode":1,"quality":0}"#)
        #expect(try copy(Fix()) == Fix())
        #expect(try json(SatelliteView()) == #"{"signals":[],"used":[]}"#)
        #expect(try read(#"{"mode":1,"quality":0,"speed":null}"#, as: Fix.self).speed == nil)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a number that is not finite survives storing`(_ number: Double) throws {
        var fix = Fix()
        fix.speed = number
        fix.dilution.hdop = number
        fix.coordinate = Coordinate(latitude: number, longitude: 1)
        let again = try copy(fix)
        for value in [again.speed, again.dilution.hdop, again.coordinate?.latitude] {
            #expect(value.map { $0.isNaN == number.isNaN && ($0.isNaN || $0 == number) } == true)
        }
    }

    @Test func `a satellite view survives storing`() throws {
        let gps = try #require(SatelliteID(.gps, 5))
        let sbas = try #require(SatelliteID(.sbas, 158))
        let last = try #require(SatelliteID(.navIC, 64))
        var signal = SatelliteSignal(id: gps, signal: 15, elevation: -90, azimuth: 359.9, cn0: 42)
        (signal.state.residual, signal.state.quality, signal.state.isHealthy) = (-3.5, 7, false)
        (signal.state.number, signal.state.frequency) = (4, 13)
        var used = SatelliteIDSet()
        for id in [sbas, gps, last] { used.insert(id) }
        let time = UTCTime(date: try #require(Self.day), time: try #require(.leapSecond))
        let view = SatelliteView(
            signals: [signal, SatelliteSignal(id: sbas)], used: used, time: time)
        #expect(try copy(view) == view)
        #expect(try copy(view).used.count == 3)
        #expect(try json(view).contains(#""used":["G05","S158","I64"]"#))
        #expect(try json(view).contains(#""time":"2026-03-21T23:59:60.000Z""#))
    }

    @Test(arguments: [
        #"{"mode":4,"quality":0}"#, #"{"mode":1,"quality":9}"#, #"{"mode":-1,"quality":0}"#,
        #"{"mode":1e99,"quality":0}"#, #"{"quality":0}"#, "[]", "null", "",
        #"{"mode":1,"quality":0,"time":"2026-02-30T00:00:00Z"}"#,
        #"{"mode":1,"quality":0,"time":"2026-02-28T24:00:00Z"}"#,
        #"{"mode":1,"quality":0,"time":"99999-02-28T00:00:00Z"}"#,
        #"{"mode":1,"quality":0,"time":5}"#,
        #"{"mode":1,"quality":0,"receivedDate":"0000-01-01"}"#,
        #"{"mode":1,"quality":0,"receivedDate":"2026-01-01T00:00"}"#,
        #"{"mode":1,"quality":0,"timeOfDay":"10:15:60"}"#,
        #"{"mode":1,"quality":0,"timeOfDay":"-1:15:20"}"#,
        #"{"mode":1,"quality":0,"timeOfDay":"10:15:20+02:00"}"#,
        #"{"mode":1,"quality":0,"timeOfDay":8640000000000000}"#,
        #"{"mode":1,"quality":0,"speed":"fast"}"#, #"{"mode":1,"quality":0,"speed":1e999}"#,
        #"{"mode":1,"quality":0,"speed":"0x10"}"#, #"{"mode":1,"quality":0,"speed":true}"#,
        #"{"mode":1,"quality":0,"coordinate":{"latitude":1}}"#,
        #"{"mode":1,"quality":0,"coordinate":{"latitude":1,"longitude":null}}"#,
        #"{"mode":1,"quality":0,"accuracy":{"source":"guess"}}"#,
        #"{"mode":1,"quality":0,"satellitesUsed":-1}"#,
        #"{"mode":1,"quality":0,"satellitesInView":9223372036854775807}"#,
    ])
    func `invalid stored fixes are rejected`(_ json: String) {
        #expect(throws: DecodingError.self) { try read(json, as: Fix.self) }
    }

    @Test(arguments: [
        "[]", #"{"signals":[]}"#, #"{"signals":[],"used":["G65"]}"#,
        #"{"signals":[],"used":["S1"]}"#, #"{"signals":[],"used":["X05"]}"#,
        #"{"signals":[],"used":["G99999999999999999999"]}"#, #"{"signals":[],"used":[""]}"#,
        #"{"signals":[{"id":"G05","signal":16}],"used":[]}"#,
        #"{"signals":[{"id":"G05","signal":-1}],"used":[]}"#,
        #"{"signals":[{"signal":1}],"used":[]}"#,
    ])
    func `invalid stored satellite views are rejected`(_ json: String) {
        #expect(throws: DecodingError.self) { try read(json, as: SatelliteView.self) }
    }

    @Test func `a satellite view stored by an earlier version is read`() throws {
        let view = try read(
            #"{"signals":[{"id":"G05","cn0":42,"talker":18256,"listedIDs":2}],"used":["G05"]}"#,
            as: SatelliteView.self)
        let gps = try #require(SatelliteID(.gps, 5))
        #expect(view.signals == [SatelliteSignal(id: gps, cn0: 42)])
    }

    @Test func `a time with an offset is the same instant`() throws {
        let fix = try read(
            #"{"mode":1,"quality":0,"time":"2026-03-21T01:00:00+02:00"}"#, as: Fix.self)
        #expect(fix.time?.description == "2026-03-20T23:00:00.000Z")
    }
}

extension TimeOfDay? {
    fileprivate static var leapSecond: Self { TimeOfDay(hour: 23, minute: 59, second: 60) }
}
