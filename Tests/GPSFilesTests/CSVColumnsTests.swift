// SPDX-License-Identifier: MIT
import FoundationEssentials
import GNSS
@testable import GPSFormats
import GPSTestTraits
import Testing

/// The columns that CSV has on request.
@Suite(.timeLimit(.generous))
struct CSVColumnsTests {
    private var fix: Fix {
        var fix = Fix()
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.coordinate = Coordinate(latitude: 48.2, longitude: 16.36)
        fix.speed = 2.5
        fix.instruments[.depth] = 3.42
        fix.instruments[.waterTemperature] = 11.5
        fix.instruments[.apparentWindSpeed] = 7.3
        fix.instruments[.engineSpeed] = 1800
        fix.vote = Vote(state: .agreed, winner: "bow", witnesses: ["aft"], radius: 2.5)
        return fix
    }

    /// Returns the titles and the cells of a row.
    private func table(_ fix: Fix, _ columns: OutputColumns) -> (
        text: String, row: [String: String]
    ) {
        var metadata = OutputMetadata()
        metadata.columns = columns
        var csv = CSVFormat(metadata)
        csv.begin(OutputSource(name: "a", origin: .live))
        csv.write(fix)
        var text = ""
        csv.drain { span in
            text += String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
        }
        let lines = text.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        return (text, Dictionary(uniqueKeysWithValues: zip(lines[0], lines[1])))
    }

    @Test func `a table has columns of instruments and votes only on request`() {
        let plain = table(fix, [])
        #expect(plain.row["depth_m"] == nil && plain.row["vote"] == nil)
        let boat = table(fix, .instruments).row
        #expect(boat["depth_m"] == "3.42" && boat["water_temperature_degC"] == "11.5")
        #expect(boat["apparent_wind_speed_m/s"] == "7.3" && boat["engine_speed_rpm"] == "1800")
        #expect(boat["rudder_deg"] == "" && boat["vote"] == nil)
        let vote = table(fix, .vote).row
        #expect(vote["vote"] == "agreed" && vote["vote_radius_m"] == "2.5")
        #expect(vote["vote_witnesses"] == "1" && vote["vote_disagreeing"] == "0")
        #expect(vote["depth_m"] == nil)
        #expect(table(Fix.at(48, 16), [.instruments, .vote]).row["vote"] == "")
    }

    @Test func `what a receiver reports about itself is in JSON, tables and stored fixes`() throws {
        for property in FixProperty.reported {
            for number in property.words.isEmpty ? [17] : property.words.map(\.number) {
                var fix = Fix.at(48, 16)
                fix.quality = .autonomous
                // A member that only gpsbridge writes: leap seconds are not read from gpsd's objects.
                fix.dilution.hdop = 1
                property.set(&fix, Double(number))
                #expect(property.value(fix) == Double(number), "\(property.name)")
                let stored = try JSONDecoder().decode(Fix.self, from: JSONEncoder().encode(fix))
                #expect(property.value(stored) == Double(number), "\(property.name)")
                let row = table(fix, .receiver)
                let title =
                    property.words(separatedBy: "_")
                    + (property.unit.isEmpty ? "" : "_\(property.unit)")
                let cell = try #require(row.row[title], "\(property.name)")
                let isEqual =
                    property.word(fix).map { $0.name == cell } ?? (Double(cell) == Double(number))
                #expect(isEqual, "\(property.name): \(cell)")
                let read = try #require(Reading(row.text).fixes.first)
                #expect(property.value(read) == Double(number), "\(property.name)")
                var reports = GPSDReports(device: "/dev/gps")
                reports.report(fix)
                let text = String(decoding: reports.text.array, as: UTF8.self)
                let reread = try #require(Reading(text).fixes.first)
                #expect(property.value(reread) == Double(number), "\(property.name): \(text)")
            }
        }
    }

    @Test func `requested columns precede the position, because gpsbabel reads the last of a kind`()
    {
        let head = table(fix, [.instruments, .vote]).text.prefix { $0 != "\n" }
        #expect(head.hasPrefix("time,vote,vote_radius_m,"))
        let titles = head.split(separator: ",")
        #expect(titles.last { $0.contains("speed") } == "speed_m/s")
        #expect(titles.last { $0.contains("altitude") } == "altitude_m")
        #expect(titles.last { $0.contains("depth") } == "depth_m")
    }

    @Test func `the columns are read back`() throws {
        let read = try #require(Reading(table(fix, [.instruments, .vote]).text).fixes.first)
        #expect(read.instruments == fix.instruments && read.speed == 2.5)
        #expect(read.vote == Vote(state: .agreed, radius: 2.5))
    }

    @Test func `columns of other programs are instruments only with a unit`() throws {
        let text = "lat,lon,log,depth,depth_m,vote\n48.2,16.36,started,shallow,3.5,yes\n"
        let read = try #require(Reading(text).fixes.first)
        #expect(read.instruments.known.map(\.quantity) == [.depth])
        #expect(read.instruments[.depth] == 3.5 && read.vote == nil)
    }

    @Test func `the columns of other programs that are not read are reported`() throws {
        func warning(_ text: String) throws -> String? {
            var reader = CSVInput(file: "file")
            try reader.push(Array(text.utf8)[...]) { _ in }
            return reader.warning
        }
        #expect(
            try warning("\u{FEFF}No,lat,lon,\"Local Time\",ele,speed_km/h,,alt\r\n")
                == "has columns that are not read: No, Local Time, alt")
        #expect(try warning(table(fix, .instruments).text) == nil)
        // A vote contains the names of these receivers, not their numbers.
        #expect(
            try warning(table(fix, [.instruments, .vote]).text)
                == "has columns that are not read: vote_witnesses, vote_disagreeing")
        #expect(try warning("") == nil)
        let many = (0..<12).map { "column \($0)" }.joined(separator: ";")
        #expect(try warning("lat;lon;\(many)\n")?.hasSuffix(", column 9 and 2 more") == true)
    }

    @Test func `rows that are too short for a position are counted`() throws {
        var reader = CSVInput(file: "file")
        let text = "time,lat,lon,name\n,48.5,16.25\n  \n,,,\n,48.5\n\n,48\n,48.5,16.5,a\n"
        var fixCount = 0
        try reader.push(Array(text.utf8)[...]) { if case .fix = $0 { fixCount += 1 } }
        #expect(fixCount == 2)
        #expect(
            reader.leftOut.warning
                == "has 2 rows without a position and with fewer fields than the "
                + "header (the first in line 5), which are left out")
    }

    @Test(arguments: ["time,\"speed, km/h\",lat,lon", "\"time\",\"speed, km/h\",\"lat\",lon"])
    func `a separator in the quotes of the header is part of a name`(_ head: String) {
        let fixes = Reading("\(head)\n2026-03-21T12:00:00Z,3,48.5,16.25\n").fixes
        #expect(fixes.map(\.coordinate) == [Coordinate(latitude: 48.5, longitude: 16.25)])
        #expect(Reading("a,lat,lon,size in \"\n3,48.5,16.25,2\n").fixes.count == 1)
        #expect(Reading("rain (in\"),snow (in\"),lat,lon\n1,2,48.5,16.25\n").fixes.count == 1)
    }

    @Test func `units may be in parentheses`() {
        let text = """
            Datetime [UTC],"Latitude (°)",Longitude (deg),Altitude (m),Speed (km/h),Course [deg]
            2026-03-21T12:00:00Z,48.5,16.25,171.5,36,90

            """
        let fixes = Reading(text).fixes
        #expect(fixes.map(\.coordinate) == [Coordinate(latitude: 48.5, longitude: 16.25)])
        #expect(fixes.map(\.altitude) == [171.5])
        #expect(fixes.map(\.course) == [90])
        #expect(fixes.map(\.speed) == [10])
        #expect(fixes.first?.time?.description == "2026-03-21T12:00:00.000Z")
    }

    @Test(arguments: ["x_m,y_m", "X (m),Y (m)"])
    func `local coordinates in metres are not a position`(_ head: String) {
        #expect(Reading("\(head)\n5,6\n").fixes.isEmpty)
    }

    @Test func `a latitude and a longitude precede local coordinates`() {
        for head in ["x,y,lat,lon", "X,\"Y\",Latitude,Longitude"] {
            let reading = Reading("\(head)\n5,6,48,16\n")
            #expect(reading.fixes.map(\.coordinate) == [Coordinate(latitude: 48, longitude: 16)])
        }
        // GDAL writes positions in this way.
        #expect(Reading("X,Y\n16,48\n").fixes.first?.coordinate?.latitude == 48)
    }

    // gpsbabel's unicsv has the column Fix.
    @Test func `a row without a fix ends the segment`() {
        let reading = Reading(
            "Latitude,Longitude,Fix\n48,16,3d\n48,17,none\n48,18,2d\n48,19,No fix\n48,20,\n")
        #expect(reading.fixes.compactMap(\.coordinate?.longitude) == [16, 18, 20])
        #expect(reading.entries.map(\.segment) == [1, 2, 3])
        #expect(Reading("lat,lon,quality\n48,16,invalid\n").fixes.isEmpty)
    }

    @Test func `the tracks and segments of GDAL's track points are separate`() {
        let rows = ["0,0,48,16", "0,0,48,17", "0,1,49,16", "1,0,50,16"]
        let table = Reading(
            "track_fid,track_seg_id,lat,lon\n" + rows.map { $0 + "\n" }.joined())
        #expect(table.entries.map(\.segment) == [1, 1, 2, 3])
        let features = rows.map { row in
            let cells = row.split(separator: ",")
            return #"{"type":"Feature","properties":{"track_fid":\#(cells[0]),"#
                + #""track_seg_id":\#(cells[1])},"geometry":{"type":"Point","#
                + #""coordinates":[\#(cells[3]),\#(cells[2])]}}"#
        }
        let text = features.joined(separator: ",")
        let collection = Reading(#"{"type":"FeatureCollection","features":[\#(text)]}"#)
        #expect(collection.fixes == table.fixes)
        #expect(collection.entries.map(\.segment) == [1, 1, 2, 3])
    }

    @Test func `a GeoJSON point without a fix is not read`() {
        let features = ["0", #""invalid""#, #""NO_FIX""#, "4", #""4""#].map {
            #"{"type":"Feature","properties":{"quality":\#($0)},"#
                + #""geometry":{"type":"Point","coordinates":[16,48]}}"#
        }
        let reading = Reading(
            #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#)
        #expect(reading.fixes.map(\.quality) == [.rtkFixed, .rtkFixed])
    }

    @Test func `a quality is a word in any case, or the number of GGA`() {
        let rows = [
            "48,10,RTK_FIXED", "48,11,4", "48,12,Float", "48,13,DGPS", "48,14,0", "48,15,No Fix",
            "48,16,Invalid", "48,17,8", "48,18,98", "48,19,good", "48,20,",
        ]
        let reading = Reading("lat,lon,quality\n" + rows.joined(separator: "\n") + "\n")
        #expect(
            reading.fixes.map(\.quality) == [
                .rtkFixed, .rtkFixed, .rtkFloat, .differential, .simulated, .autonomous,
                .autonomous, .autonomous,
            ])
        #expect(
            reading.fixes.compactMap(\.coordinate?.longitude) == [10, 11, 12, 13, 17, 18, 19, 20])
    }

    @Test(
        arguments: ["fix", "valid", "mode", "quality"], ["NO_FIX", "false", "N", "V", "INVALID"])
    func `the words for no fix are the same in all columns`(column: String, word: String) {
        let reading = Reading("lat,lon,\(column)\n48,16,\(word)\n48,17,\n")
        #expect(reading.fixes.compactMap(\.coordinate?.longitude) == [17])
    }

    // Programs that log gpsd's `TPV` write its mode, and 0 for an unknown position.
    @Test func `the modes 0 and 1 are no fix, but a fix of 1 may be a quality`() {
        let rows = "0,0,0\n48,17,3\n48,18,1\n48,19,2\n"
        let modes = Reading("lat,lon,mode\n" + rows)
        #expect(modes.fixes.map(\.coordinate?.longitude) == [17, 19])
        #expect(modes.entries.map(\.segment) == [1, 2])
        let qualities = Reading("lat,lon,\"Fix\"\n" + rows)
        #expect(qualities.fixes.map(\.coordinate?.longitude) == [17, 18, 19])
    }

    @Test func `loggers write the hemisphere in a column of its own`() {
        let head = "INDEX,VALID,LATITUDE,N/S,LONGITUDE,E/W,HEIGHT(m),\n"
        let reading = Reading(head + "1,SPS,33.5,S,70.25,W,513.8,\n2,SPS,48.5,N,16.25,e,171.2,\n")
        #expect(reading.error == nil)
        #expect(
            reading.fixes.map(\.coordinate) == [
                Coordinate(latitude: -33.5, longitude: -70.25),
                Coordinate(latitude: 48.5, longitude: 16.25),
            ])
        #expect(
            Reading("lat,lat_dir,lon,lon_dir\n-33.5,S,70.25,W\n").fixes.map(\.coordinate)
                == [Coordinate(latitude: -33.5, longitude: -70.25)])
        // A position without its sign is unknown.
        for letter in ["", "0", "E"] {
            let unknown = Reading(head + "1,SPS,33.5,\(letter),70.25,W,513.8,\n")
            #expect(unknown.fixes.isEmpty)
            #expect(unknown.error?.reason == "the hemisphere is not N or S: \"\(letter)\"")
        }
    }

    // Loggers such as those of Qstarz and i-Blue.
    @Test func `a position without a fix is not read, and values in other units are converted`()
        throws
    {
        let text = """
            INDEX,DATE,TIME,VALID,LATITUDE,N/S,LONGITUDE,E/W,ALTITUDE,SPEED,
            1,2026/03/21,10:17:50,SPS,48.5,N,16.25,E,171.5 M,28.188 km/h,
            2,2026/03/21,10:17:51,No fix,48.5,N,16.25,E,171.5 M,28.188 km/h,
            3,2026/03/21,10:17:52,DGPS,48.5,N,16.5,E,,2.5 m/s,

            """
        let reading = Reading(text)
        #expect(reading.error == nil)
        #expect(reading.fixes.map(\.coordinate?.longitude) == [16.25, 16.5])
        #expect(reading.fixes.map(\.altitude) == [171.5, nil])
        #expect(reading.fixes.map { (($0.speed ?? 0) * 1000).rounded() } == [7830, 2500])
        #expect(reading.entries.map(\.segment) == [1, 2])
        var reader = CSVInput(file: "file")
        try reader.push(Array(text.utf8)[...]) { _ in }
        #expect(reader.warning == "has columns that are not read: INDEX")
        #expect(Reading("lat,lon\n48 m,16\n").error?.reason.contains("is not a number") == true)
        #expect(Reading("lat,lon,speed\n48,16,3 x\n").leftOut.descriptions.count == 1)
    }

    @Test(arguments: ["No fix", "no fix ", "false", "FALSE", "0", "V", "v", "N", "n", "No", "NO"])
    func `a position that is not valid is not read, also beside a column with the mode`(
        _ invalid: String
    ) {
        let rows = [
            "48.1,16.1,1,3d", "48.2,16.2,\(invalid),3d", "48.3,16.3,SPS,none", "48.4,16.4,,2d",
            "48.5,16.5,A,3d",
        ]
        let reading = Reading(("lat,lon,valid,fix" + rows.map { "\n" + $0 }.joined()) + "\n")
        #expect(reading.error == nil)
        #expect(reading.fixes.map(\.coordinate?.latitude) == [48.1, 48.4, 48.5])
        #expect(reading.fixes.map(\.mode) == [.threeD, .twoD, .threeD])
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `a line ends with LF, CR LF, or CR as in files of old spreadsheets`(_ end: String) {
        let rows = [
            "lat,lon,name", "48,16,\"a\(end)b\"", "49,17,", "", "95,18,", "95,18,", "95,18,",
        ]
        for text in [rows.joined(separator: end), rows.joined(separator: end) + end] {
            for piece in [1, 1000] {
                let reading = Reading(Array(text.utf8), piece: piece)
                #expect(reading.fixes.map(\.coordinate?.latitude) == [48, 49])
                #expect(reading.error?.line == 6)
            }
        }
    }

    @Test func `a table is continued only with the same columns`() {
        let text = Array(table(fix, .instruments).text.utf8)
        var metadata = OutputMetadata()
        metadata.columns = .instruments
        var (same, other) = (CSVFormat(metadata), CSVFormat())
        #expect(same.resume(head: text, end: text) == text.count)
        #expect(other.resume(head: text, end: text) == nil)
    }
}

extension Fix {
    static func at(_ latitude: Double, _ longitude: Double) -> Fix {
        var fix = Fix()
        fix.mode = .threeD
        fix.coordinate = Coordinate(latitude: latitude, longitude: longitude)
        return fix
    }
}

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

    @Test func `a column of times in UTC is preferred to one that says nothing`() throws {
        let row = "0.25,1717236000.250,48,11"
        for header in ["\"Time\",\"UTC Time\",Latitude,Longitude", "time,utc,lat,lon"] {
            #expect(try fix(header, row).time?.description == "2024-06-01T10:00:00.250Z")
        }
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
        let header = "INDEX,RCR,DATE,TIME,VALID,LATITUDE,N/S,LONGITUDE,E/W,HEIGHT,SPEED,HEADING"
        let row = "1,T,2024/06/01,10:00:00,SPS,48,N,11,E,500,36,90"
        #expect(close(try fix(header, row).speed, 10))
        #expect(close(try fix(header, row.replacing(",36,", with: ",5 m/s,")).speed, 5))
    }

    @Test(arguments: [("", 10), ("(m/s)", 36), ("(km/h)", 10)])
    func `the speeds of loggers with MediaTek chips are km-h, unless a unit says otherwise`(
        _ unit: String, _ speed: Double
    ) throws {
        let head =
            "INDEX,RCR,DATE,TIME,VALID,LATITUDE,N/S,LONGITUDE,E/W,HEIGHT,SPEED\(unit),HEADING"
        let row = "1,T,2026/03/21,12:00:00,SPS,48.5,N,16.25,E,171,36,90"
        #expect(close(try fix(head, row).speed, speed))
    }

    @Test func `the points of tracks that GDAL writes are tracks with their segments`() {
        let points = ["000", "001", "010", "100", "101", "200"]
        let rows = points.map { numbers in
            let cells = numbers.map { "\"\($0)\"" }.joined(separator: ",")
            return "11.5,48.1,\(cells),500\n"
        }
        let head = "X,Y,track_fid,track_seg_id,track_seg_point_id,ele\n"
        let reading = Reading(head + rows.joined())
        #expect(reading.tracks == ["0", "1", "2"])
        #expect(reading.entries.map(\.segment) == [1, 1, 2, 3, 3, 4])
        #expect(reading.warning == "has columns that are not read: track_seg_point_id")
        let routes = Reading("X,Y,route_fid,route_point_id\n11,48,5,0\n11,49,5,1\n12,48,6,0\n")
        #expect(routes.entries.map(\.segment) == [1, 1, 2])
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

    @Test func `an odd value costs its row, and an odd number only itself`() {
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
        let left = reading.leftOut.descriptions
        #expect(
            left.contains(
                #"2 points with an impossible position (the first in line 3: "100.0, 11.0")"#))
        #expect(left.contains(#"1 row with a time in an unknown form (line 4: "later")"#))
        #expect(left.contains(#"1 value of the altitude in an unknown form (line 6: "high")"#))
        #expect(left.contains("1 row with more fields than the header (line 7)"))
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

    @Test(arguments: [
        "time,lat,lon,\n2024-06-01T10:00:00Z,48,11,\n2024-06-01T10:00:01Z,48,11,\n",
        "time,lat,lon\n2024-06-01T10:00:00Z,48,11,,\n2024-06-01T10:00:01Z,48,11,,\n",
        "time,lat,lon,,\n2024-06-01T10:00:00Z,48,11\n2024-06-01T10:00:01Z,48,11",
    ])
    func `separators at the end of a line are no fields`(_ text: String) {
        let reading = Reading(text)
        #expect(reading.error == nil)
        #expect(reading.fixes.count == 2)
        #expect(reading.leftOut == LeftOut())
    }

    @Test(arguments: ["time", "Time of day", "utc"])
    func `a time without a date stays a time of day, and a message says so`(column: String) {
        let reading = Reading("\(column),lat,lon\n10:00:00,48,11\n10:00:01.5,48,11\n")
        #expect(reading.error == nil)
        #expect(reading.fixes.map(\.time) == [nil, nil])
        #expect(
            reading.fixes.map(\.timeOfDay) == [
                TimeOfDay(hour: 10, minute: 0, second: 0, nanosecond: 0),
                TimeOfDay(hour: 10, minute: 0, second: 1, nanosecond: 500_000_000),
            ])
        #expect(reading.warning?.contains("times without a date") == true)
    }

    @Test func `decimal commas in quotation marks are read`() {
        let reading = Reading("lat,lon,altitude\n\"48,2\",\"11,5\",\"520,5\"\n")
        #expect(reading.fixes.map(\.coordinate) == [Coordinate(latitude: 48.2, longitude: 11.5)])
        #expect(reading.fixes.map(\.altitude) == [520.5])
        // This comma may separate thousands.
        let other = Reading("lat,lon,altitude\n48.2,11.5,500\n48.2,11.5,\"1,234\"\n")
        #expect(other.fixes.map(\.altitude) == [500, nil])
        #expect(other.leftOut.warning?.contains("\"1,234\"") == true)
    }

    @Test(arguments: [
        (",", "\"1,234.5\"", 1234.5), (",", "\"-1,234,567\"", -1_234_567), (",", "1'234.5", 1234.5),
        (",", "1’234", 1234), (";", "1.234,5", 1234.5), (";", "1'234,5 m", 1234.5),
        ("\t", "1,234.5", 1234.5), (";", "1,234", 1.234), (",", "\"1,234\"", nil),
        (",", "\"1,23.5\"", nil), (",", "12'34", nil), (",", "1'2345", nil),
    ])
    func `marks between thousands are read where they cannot be decimal marks`(
        _ separator: String, _ text: String, _ altitude: Double?
    ) {
        let row = ["48.2", "11.5", text].joined(separator: separator)
        let reading = Reading("lat\(separator)lon\(separator)altitude\n\(row)\n")
        #expect(reading.error == nil)
        #expect(reading.fixes.map(\.coordinate) == [Coordinate(latitude: 48.2, longitude: 11.5)])
        #expect(reading.fixes.map(\.altitude) == [altitude])
        #expect((reading.leftOut == LeftOut()) == (altitude != nil))
    }

    @Test func `a column whose values cannot be read costs no row`() {
        let rows = (0..<20).map { "48,11,\"1,2\($0 + 10)\"\n" }
        let reading = Reading("lat,lon,altitude\n" + rows.joined())
        #expect(reading.error == nil)
        #expect(reading.fixes.count == 20 && reading.fixes.allSatisfy { $0.altitude == nil })
        #expect(
            reading.leftOut.descriptions == [
                #"20 values of the altitude in an unknown form (the first in line 2: "1,210")"#
            ])
    }

    @Test(arguments: ["x\n", "\"ok\"\n", "\"a \"\"b\"\"\"\r\n"])
    func `a quotation mark that is not closed costs no other row`(_ end: String) {
        let rows = (1..<3000).map { "\($0),48,11,\(end)" }.joined()
        let text = "timestamp,lat,lon,name\n0,48,11,\"abc\n" + rows
        for piece in [7, 65_536] {
            let reading = Reading(Array(text.utf8), piece: piece)
            #expect(reading.error == nil)
            #expect(reading.fixes.count == 3000)
            let warning = #"1 quotation mark without an end (line 2)"#
            #expect(reading.leftOut.descriptions == [warning])
        }
    }

    @Test func `a quoted field may continue in the next line`() {
        let reading = Reading("lat,lon,name\n48,11,\"a\nb,\"\n49,11,c\n")
        #expect(reading.fixes.map(\.coordinate?.latitude) == [48, 49])
        #expect(reading.leftOut == LeftOut())
    }

    @Test func `the tables of Columbus loggers are read`() throws {
        let zeros = "\0\0\0"
        let head = "INDEX,TAG,DATE,TIME,LATITUDE N/S,LONGITUDE E/W,HEIGHT,SPEED,HEADING,VOX"
        let reading = Reading(
            "\(head)\r\n1\(zeros),T,260321,093005,48.856330N,009.089779E,318\0,36\0,90\0,\(zeros)\r\n"
                + "2\(zeros),C,260321,093006,48.856330S,009.089779W,318\0,36\0,90\0,VOX00001\r\n")
        #expect(reading.error == nil)
        #expect(reading.leftOut == LeftOut())
        #expect(
            reading.fixes.map(\.time) == [
                UTCTime(iso8601: "2026-03-21T09:30:05Z"), UTCTime(iso8601: "2026-03-21T09:30:06Z"),
            ])
        #expect(
            reading.fixes.map(\.coordinate) == [
                Coordinate(latitude: 48.856330, longitude: 9.089779),
                Coordinate(latitude: -48.856330, longitude: -9.089779),
            ])
        let fix = try #require(reading.fixes.first)
        #expect(close(fix.speed, 10) && fix.altitude == 318 && fix.course == 90)
    }

    @Test func `six digits are a date only in the files of a logger that is known`() {
        let text = "date,time,lat,lon\n260321,093005,48,11\n"
        #expect(Reading(text).error != nil)
        let long = Reading("date,time,lat,lon\n20260321,093005,48,11\n")
        #expect(long.fixes.map(\.time) == [UTCTime(iso8601: "2026-03-21T09:30:05Z")])
    }

    @Test func `comments before the header and between rows are skipped`() {
        for text in [
            "# a logger, with a comma\n#\ntime,lat,lon\n2026-03-21T12:00:00Z,48,11\n# end\n",
            "# a\r\n#time,lat,lon\r\n2026-03-21T12:00:00Z,48,11\r\n",
        ] {
            let reading = Reading(text)
            #expect(reading.fixes.map(\.coordinate?.latitude) == [48])
            #expect(reading.error == nil && reading.leftOut == LeftOut())
        }
    }
}
