// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
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
        var (csv, metadata) = (CSVFormat(), OutputMetadata())
        metadata.columns = columns
        csv.describe(metadata)
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
        for (head, row) in [("lat,lon,speed", "48,16,3 x"), ("lat,lon", "48 m,16")] {
            #expect(Reading("\(head)\n\(row)\n").error?.reason.contains("is not a number") == true)
        }
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
        var (same, other) = (CSVFormat(), CSVFormat())
        var metadata = OutputMetadata()
        metadata.columns = .instruments
        same.describe(metadata)
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
