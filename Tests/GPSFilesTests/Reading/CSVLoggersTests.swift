// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

/// The tables of other programs: their names, units, numbers and times.
@Suite(.timeLimit(.generous)) struct CSVLoggersTests {
    private func close(_ value: Double?, _ wanted: Double?) -> Bool {
        guard let value, let wanted else { return value == nil && wanted == nil }
        return abs(value - wanted) < 1e-6 * max(1, abs(wanted))
    }

    /// Reads a table with a single row.
    private func fix(_ head: String, _ row: String) throws -> Fix {
        let reading = Reading("\(head)\n\(row)\n")
        #expect(reading.error == nil, "\(head)")
        return try #require(reading.fixes.first, "\(head)")
    }

    @Test(arguments: [
        ("lat,lon,speed (km/h)", "36", 10.0), ("lat,lon,speed_kmh", "36", 10),
        ("lat,lon,SPEED(km/h)", "36", 10), ("lat,lon,Speed [mph]", "10", 4.4704),
        ("lat,lon,speedKnots", "10", 5.144444), ("lat,lon,speed (kn)", "10", 5.144444),
        ("lat,lon,GPS Speed (Meters/second)", "10", 10), ("lat,lon,velocity", "10", 10),
        ("lat,lon,Speed", "36 km/h", 10), ("lat,lon,speed_mps", "10", 10),
    ])
    func `a speed in another unit is converted`(head: String, text: String, speed: Double) throws {
        #expect(close(try fix(head, "48,11,\(text)").speed, speed))
    }

    @Test(arguments: [
        ("altitude (ft)", 304.8), ("altitude_feet", 304.8), ("HEIGHT(m)", 1000),
        ("altitude_above_seaLevel(feet)", 304.8), ("altMSL", 1000), ("elev", 1000),
        ("Altitude (MSL)", 1000),
    ])
    func `an altitude in feet is converted`(name: String, altitude: Double) throws {
        let fix = try fix("lat,lon,\(name)", "48,11,1000")
        #expect(close(fix.altitude, altitude))
        #expect(fix.ellipsoidalAltitude == nil)
    }

    @Test func `the names of loggers`() throws {
        let fix = try fix(
            "latitudeE7,longitudeE7,altHAE,accuracy,bearing,vacc,NSAT(USED/VIEW)",
            "481371540,115761240,566.5,4.2,91,3,8(11)")
        #expect(close(fix.coordinate?.latitude, 48.137154))
        #expect(close(fix.coordinate?.longitude, 11.576124))
        #expect((fix.ellipsoidalAltitude, fix.altitude) == (566.5, nil))
        #expect((fix.accuracy.horizontal, fix.accuracy.vertical) == (4.2, 3))
        #expect((fix.course, fix.satellitesUsed) == (91, 8))
        for name in ["HEADING", "track", "cog", "Direction (°)"] {
            #expect(try self.fix("lat,lon,\(name)", "48,11,91").course == 91)
        }
        #expect(
            close(try self.fix("lat,lon,course_rad", "48,11,1.5707963268").course, 90))
    }

    @Test func `the speeds of Traccar are knots, and those of OpenTracks and OwnTracks km-h`()
        throws
    {
        let time = "2024-06-01T10:00:00Z"
        let traccar = try fix(
            "id,deviceId,fixTime,valid,latitude,longitude,altitude,speed,course",
            "1,2,\(time),true,48,11,500,10,91")
        #expect(close(traccar.speed, 5.144444))
        #expect(traccar.time?.description == "2024-06-01T10:00:00.000Z")
        let openTracks = Reading(
            """
            #time,trackpoint_type,latitude,longitude,altitude,accuracy_horizontal,speed
            "2020-02-02T03:02:02+01:00","SEGMENT_START_MANUAL",,,,,
            "2020-02-02T03:02:03+01:00","TRACKPOINT",3.1,14,1020.2,10,54

            """)
        #expect(openTracks.fixes.count == 1)
        #expect(close(openTracks.fixes.first?.speed, 15))
        #expect(openTracks.fixes.first?.accuracy.horizontal == 10)
        #expect(openTracks.fixes.first?.time?.description == "2020-02-02T02:02:03.000Z")
        #expect(close(try fix("tst,lat,lon,vel", "1717236000,48,11,36").speed, 10))
    }

    @Test(arguments: ["speed (furlongs)", "altitude (fathom)", "Speed [x]", "accuracy (%)"])
    func `an unknown unit is an error, never metres per second`(name: String) {
        let reading = Reading("lat,lon,\(name)\n48,11,5\n")
        #expect(reading.fixes.isEmpty)
        #expect(reading.error?.reason.contains("is not known: use one such as") == true)
    }

    @Test func `semicolons and tabs leave the comma for decimals`() throws {
        for mark in [";", "\t"] {
            let head = ["time", "lat", "lon", "ele", "speed"].joined(separator: mark)
            let row = ["2024-06-01T10:00:00,5Z", "48,1371540", "-11,5", "5,205E2", "2,5"]
            let fix = try fix(head, row.joined(separator: mark))
            #expect(fix.coordinate == Coordinate(latitude: 48.137154, longitude: -11.5))
            #expect((fix.altitude, fix.speed) == (520.5, 2.5))
            #expect(fix.time?.description == "2024-06-01T10:00:00.500Z")
        }
    }

    @Test func `seconds since the start of a recording are no date, and a message says so`() throws
    {
        let text = "\"Time (s)\";\"Latitude (°)\";\"Longitude (°)\"\n0,5E0;4,8E1;1,1E1\n"
        #expect(Reading(text).fixes.map(\.time) == [nil])
        var reader = CSVInput(file: "file")
        try reader.push(Array(text.utf8)[...]) { _ in }
        #expect(reader.warning == "has times without a date, which are not read")
    }

    @Test(arguments: [
        ("1717236000", "2024-06-01T10:00:00.000Z"), ("1717236000.5", "2024-06-01T10:00:00.500Z"),
        ("1717236000123", "2024-06-01T10:00:00.123Z"),
        ("1717236000123000000", "2024-06-01T10:00:00.123Z"),
        ("1.717236E9", "2024-06-01T10:00:00.000Z"),
        ("01.06.2024 10:00:00", "2024-06-01T10:00:00.000Z"),
        ("1.6.2024 9:05", "2024-06-01T09:05:00.000Z"),
        ("2024/6/1 10:00:01.5", "2024-06-01T10:00:01.500Z"),
        ("25/06/2024 10:00:00", "2024-06-25T10:00:00.000Z"),
        ("6/25/2024 12:00:01 AM", "2024-06-25T00:00:01.000Z"),
        ("6/25/2024 1:00:01 PM", "2024-06-25T13:00:01.000Z"),
        ("2024-06-01 10:00:00 UTC", "2024-06-01T10:00:00.000Z"),
        ("01.06.2024 10:00:00 +02:00", "2024-06-01T08:00:00.000Z"),
    ])
    func `times of other programs`(text: String, time: String) throws {
        #expect(try fix("timestamp,lat,lon", "\(text),48,11").time?.description == time)
        guard let space = text.firstIndex(of: " "), !text.contains("+") else { return }
        let (date, day) = (text[..<space], text[space...].dropFirst())
        let fix = try fix("date,time,lat,lon", "\(date),\(day),48,11")
        #expect(fix.time?.description == time)
    }

    @Test(arguments: [
        "6/1/2024 10:00:00 AM", "01/06/24 10:00:00", "31.02.2024 10:00:00", "6/25/2024 13:00:00 PM",
        "2024-06-01T10:00:00+02:00[Europe/Brussels]", "yesterday",
    ])
    func `a time whose meaning is not certain is an error that says which forms are read`(
        text: String
    ) {
        let reading = Reading("time,lat,lon\n\(text),48,11\n")
        #expect(reading.fixes.isEmpty)
        #expect(
            reading.error?.reason.contains("expected a time such as 2026-03-23T12:35:19Z") == true)
    }

    @Test func `an odd value costs its row, and an odd number only itself`() throws {
        let text = """
            time,lat,lon,ele
            2024-06-01T10:00:00Z,48,11,500
            2024-06-01T10:00:01Z,100,11,500
            later,48,11,500
            2024-06-01T10:00:03Z,48,undefined,500
            2024-06-01T10:00:04Z,48,11,high
            2024-06-01T10:00:05Z,48,11,500,extra
            2024-06-01T10:00:06Z,48,11,500
            2024-06-01T10:00:07Z,48,11,500
            2024-06-01T10:00:08Z,48,11,500
            2024-06-01T10:00:09Z,48,11,500
            2024-06-01T10:00:10Z,48,11,500

            """
        let reading = Reading(text)
        #expect(reading.error == nil)
        #expect(reading.fixes.map { $0.time?.time.second } == [0, 4, 6, 7, 8, 9, 10])
        #expect(reading.fixes.map(\.altitude)[1] == nil)
        var reader = CSVInput(file: "file")
        try reader.push(Array(text.utf8)[...]) { _ in }
        let warning = try #require(reader.warning)
        #expect(warning.contains("(line 3): not a position: 100.0, 11.0"))
        #expect(warning.contains("(line 6): the altitude is not a number: \"high\""))
    }

    @Test func `a table whose rows are mostly unreadable is an error`() {
        let rows = (0..<8).map { "2024-06-01T10:00:0\($0)Z,48,\($0 < 3 ? "11" : "x")\n" }
        #expect(Reading("time,lat,lon\n" + rows.joined()).error != nil)
    }

    @Test(arguments: [
        ("=1+1", "\"=1+1\""), ("@a", "\"@a\""), ("a;b", "\"a;b\""), ("a\"b", "\"a\"\"b\""),
        ("\u{1B}[31mred", #""\u{1B}[31mred""#), ("a\nb", #""a\u{A}b""#), ("walk.gpx", "walk.gpx"),
    ])
    func `the name of a source is one cell that neither a spreadsheet nor a terminal executes`(
        name: String, cell: String
    ) throws {
        var csv = CSVFormat()
        csv.begin(OutputSource(name: name, origin: .replay))
        var fix = Fix.at(48, 16)
        fix.quality = .autonomous
        csv.write(fix)
        var text = ""
        csv.drain { span in
            text += String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
        }
        #expect(text.split(separator: "\n").count == 2)
        #expect(text.hasSuffix(",replay,\(cell)\n"))
        #expect(Reading(text).fixes.count == 1)
    }
}
