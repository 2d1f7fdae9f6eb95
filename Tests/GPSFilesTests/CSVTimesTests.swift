// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSTestTraits
import Testing

/// What the names of columns say about times and positions: zones, GPS time and hemispheres.
@Suite(.timeLimit(.generous))
struct CSVTimesTests {
    private func times(_ head: String, _ row: String) -> [String?] {
        let reading = Reading("\(head),lat,lon\n\(row),48,11\n")
        #expect(reading.error == nil, "\(head)")
        return reading.fixes.map { $0.time?.description }
    }

    @Test(arguments: [
        "Time (UTC+2)", "time [UTC+02:00]", "Time(GMT+2)", "time (+0200)", "Time UTC+2",
        "datetime (UTC +2)", "timestamp (GMT+02:00)", "time_utc+2",
    ])
    func `the offset in a column's name applies to times without one of their own`(_ head: String) {
        let ten = "2024-06-01T10:00:00.000Z"
        for text in [
            "2024-06-01 12:00:00", "01.06.2024 12:00:00", "6/25/2024 12:00:00 PM",
            "2024-06-01T12:00", "20240601T120000",
        ] {
            let wanted = text.hasPrefix("6/25") ? "2024-06-25T10:00:00.000Z" : ten
            #expect(times(head, text) == [wanted], "\(text)")
        }
        for text in [
            "2024-06-01T10:00:00Z", "2024-06-01 13:00:00+03:00", "01.06.2024 10:00:00 UTC",
            "1717236000",
        ] {
            #expect(times(head, text) == [ten], "\(text)")
        }
        #expect(times(head, "2024-06-01T01:00:00") == ["2024-05-31T23:00:00.000Z"])
    }

    @Test(arguments: [
        "time (UTC)", "Time [GMT]", "time (Z)", "time (UTC+0)", "time (±00:00)", "time (UTC-00:00)",
        "time (yyyy-mm-dd hh:mm:ss)", "time (ISO 8601)", "time (unix)", "time (ms)", "time ()",
        "Time (h:m:s)", "time (Sec.)",
    ])
    func `UTC and the form of the times are no other zone`(_ head: String) {
        #expect(times(head, "2024-06-01T10:00:00") == ["2024-06-01T10:00:00.000Z"])
    }

    @Test func `offsets may have minutes, be negative, or be those of a date and a time of day`() {
        #expect(times("Time(GMT-5)", "2024-06-01 05:00:00") == ["2024-06-01T10:00:00.000Z"])
        #expect(times("time (UTC+5:30)", "2024-06-01 15:30:00") == ["2024-06-01T10:00:00.000Z"])
        #expect(times("time (UTC\u{2212}3)", "2024-06-01 07:00:00") == ["2024-06-01T10:00:00.000Z"])
        for head in ["date,time (UTC+2)", "date (UTC+2),time", "date (UTC+2),time (UTC+2)"] {
            #expect(times(head, "20240601,010000") == ["2024-05-31T23:00:00.000Z"], "\(head)")
        }
        let reading = Reading("time (UTC+2),lat,lon\n01:00:00,48,11\n")
        #expect(reading.fixes.map { $0.timeOfDay?.hour } == [23])
    }

    @Test(arguments: [
        "time (local)", "time (CEST)", "Time [MST]", "time (GPS)", "time (Europe/Berlin)",
        "time (UTC+15)", "time (MST/MDT)", "date,time (local)", "date (UTC),time (UTC+2)",
    ])
    func `a zone that is not known is an error that names the column`(_ head: String) {
        let row = head.contains(",") ? "2024-06-01,12:00:00" : "2024-06-01 12:00:00"
        let reading = Reading("\(head),lat,lon\n\(row),48,11\n")
        #expect(reading.fixes.isEmpty && reading.warning == nil)
        let name = head.split(separator: ",").last ?? ""
        #expect(
            reading.error?.reason.hasPrefix("the time zone of the column \"\(name)\" is not known")
                == true)
    }

    @Test(arguments: [
        ("time (local),time (UTC)", "2024-06-01 12:00:00,2024-06-01 10:00:00", "time (local)"),
        ("time,time (CEST)", "2024-06-01 10:00:00,2024-06-01 12:00:00", "time (CEST)"),
        ("gps_time,utc_time", "1401271218,2024-06-01 10:00:00", "gps_time"),
    ])
    func `a time in another zone is not read beside one in UTC, and reported`(
        _ head: String, _ row: String, _ name: String
    ) {
        #expect(times(head, row) == ["2024-06-01T10:00:00.000Z"])
        let reading = Reading("\(head),lat,lon\n\(row),48,11\n")
        #expect(reading.warning == "has columns that are not read: \(name)")
    }

    @Test(arguments: [
        // The seconds since the start of a recording, or a time of day, beside an instant.
        ("Time,UTC Time", "0.100,1717236000.2", "Time"),
        ("time,timestamp", "12:00:00,1717236000200", "time"),
        ("time,utc", "0.1,20240601100000.200", "time"),
        // A time that may be local.
        ("datetime,epoch", "2024-06-01 12:00:00,1717236000.2", "datetime"),
        ("date,time,utc_time", "2024-06-01,12:00:00,2024-06-01 10:00:00.2", "date, time"),
        ("date,timestamp", "2024-06-01,2024-06-01T12:00:00.2+02:00", "date"),
        // The first of several instants, and a count of milliseconds beside one.
        ("datetime,timestamp", "2024-06-01 10:00:00.2,700000000", "timestamp"),
        ("time,timestamp", "2024-06-01T10:00:00.2Z,1717236003", "timestamp"),
        ("datetime,time", "2024-06-01 10:00:00.2,2024-06-01 12:00:00", "time"),
    ])
    func `of several columns of times, the one with certain instants is read`(
        _ head: String, _ row: String, _ unread: String
    ) {
        #expect(times(head, row) == ["2024-06-01T10:00:00.200Z"])
        #expect(
            Reading("\(head),lat,lon\n\(row),48,11\n").warning
                == "has columns that are not read: \(unread)")
    }

    @Test func `the column of the time is sought until a row has an instant, and then stays`() {
        let reading = Reading(
            "time,utc_time,lat,lon\n0.1,,48,11\n0.2,1717236000,48,11\n2024-06-01T10:00:09Z,,48,11\n"
        )
        #expect(reading.error == nil)
        #expect(reading.fixes.map { $0.time?.time.second } == [nil, 0, nil])
    }

    @Test func `the column of the time may follow those of unnamed hemispheres`() {
        let reading = Reading(
            "time,lat,,lon,,timestamp\n1,48,S,11,W,\n2,48,S,11,W,1717236000\n")
        #expect(
            reading.fixes.map(\.coordinate)
                == Array(repeating: Coordinate(latitude: -48, longitude: -11), count: 2))
        #expect(reading.fixes.map { $0.time?.description } == [nil, "2024-06-01T10:00:00.000Z"])
    }

    @Test(arguments: [
        ("20240601100000", "2024-06-01T10:00:00.000Z"),
        ("20240601100000.250", "2024-06-01T10:00:00.250Z"),
        ("20240601120000+02:00", "2024-06-01T10:00:00.000Z"),
        ("20240230100000", nil), ("20240601256060", nil), ("19700601100000", nil),
    ])
    func `all digits of a date are read as a time, unless no such date exists`(
        _ text: String, _ time: String?
    ) {
        #expect(times("time", text) == [time])
        #expect(times("date", text) == [time])
        guard time != nil, !text.contains("+") else { return }
        #expect(times("time (UTC+2)", text).compactMap(\.self).first?.contains("T08:00:00") == true)
    }

    @Test func `a count of nanoseconds is no date, also where it looks like one`() {
        let rows = ["20240601099999", "20240601100000", "20240601100001"].map { "\($0),48,11\n" }
        let reading = Reading("time,lat,lon\n\(rows.joined())")
        #expect(reading.fixes.map(\.time) == [nil, nil, nil])
        #expect(reading.warning == "has times without a date, which are not read")
    }

    @Test(arguments: [
        ("datetime", "45444.416667", "2024-06-01T10:00:00.000Z"),
        ("Date", "45444.416666667", "2024-06-01T10:00:00.000Z"),
        ("Link Text,Time", ",45444.416678", "2024-06-01T10:00:01.000Z"),
        // Not exact to a second, or a count of seconds.
        ("datetime", "45444.4167", nil), ("time", "45444.416667", nil),
        ("Date", "45444", nil), ("datetime (UTC+2)", "45444.416667", nil),
    ])
    func `days since 1899 are read as times only where they cannot be seconds`(
        _ head: String, _ row: String, _ time: String?
    ) {
        #expect(times(head, row) == [time])
    }

    @Test(arguments: ["gps_time", "gpstime", "GPS Time", "gps_time_s", "GPS time (ms)"])
    func `numbers in a column of GPS time are never Unix time, and a message says so`(
        _ head: String
    ) {
        let reading = Reading("\(head),lat,lon\n1401271218,48,11\n")
        #expect(reading.error == nil)
        #expect(reading.fixes.map(\.time) == [nil])
        #expect(reading.warning?.hasPrefix("has numbers in a column of GPS time") == true)
        #expect(times(head, "2024-06-01T10:00:00Z") == ["2024-06-01T10:00:00.000Z"])
    }

    @Test(arguments: [
        ("2024-06-01T10:00Z", "2024-06-01T10:00:00.000Z"),
        ("2024/06/01 12:00+02", "2024-06-01T10:00:00.000Z"),
        ("20240601T100000Z", "2024-06-01T10:00:00.000Z"),
        ("20240601T100000.5Z", "2024-06-01T10:00:00.500Z"),
        ("20240601T1200+0200", "2024-06-01T10:00:00.000Z"),
        ("2024-06-01T24:00Z", "2024-06-02T00:00:00.000Z"),
        // Half a minute, in a form that is not read.
        ("2024-06-01T10:00.5Z", nil), ("20240601T10000Z", nil), ("20240230T100000Z", nil),
        ("2024-02-30T10:00Z", nil),
    ])
    func `ISO 8601 is read without seconds and in its basic form`(_ text: String, _ time: String?) {
        for reading in [
            Reading("lat,lon,time\n48,11,\n48,11,\(text)\n"),
            Reading(
                #"<gpx><trk><trkseg><trkpt lat="48" lon="11"/><trkpt lat="48" lon="11">"#
                    + "<time>\(text)</time></trkpt></trkseg></trk></gpx>"),
        ] {
            #expect(reading.error == nil)
            #expect(reading.fixes.compactMap { $0.time?.description } == (time.map { [$0] } ?? []))
            #expect((reading.leftOut == LeftOut()) == (time != nil))
        }
    }

    @Test func `a time outside the calendar is counted, and its position kept`() {
        let reading = Reading(
            "time,lat,lon\n2024-02-30T10:00:00Z,48,11\n2024-06-01T10:00:00Z,48,11\n"
                + "2024-06-01T25:00:00Z,48,11\n")
        #expect(reading.error == nil && reading.fixes.count == 3)
        #expect(
            reading.leftOut.descriptions == [
                #"2 times outside the calendar (the first in line 2: "2024-02-30T10:00:00Z")"#
            ])
    }

    /// The names of columns, and the order of latitude, longitude and their letters.
    @Test(arguments: [
        ("latitude,NS,longitude,EW", "anbe"), ("lat,lon,ns,ew", "abne"),
        ("latitude,N/S,longitude,E/W", "anbe"), ("lat,lat_hemi,lon,lon_hemi", "anbe"),
        ("latitude,latitude_hemisphere,longitude,longitude_hemisphere", "anbe"),
        ("lat,hemisphere_lat,lon,hemisphere_lon", "anbe"),
        ("GPSLatitudeRef,GPSLatitude,GPSLongitudeRef,GPSLongitude", "naeb"),
        ("Latitude,Lat. Direction,Longitude,Long. Direction", "anbe"),
        ("lat,n/s indicator,lon,e/w indicator", "anbe"),
        // Columns whose names say nothing.
        ("lat,,lon,", "anbe"), ("lat,p,lon,q", "anbe"), ("p,lat,q,lon", "naeb"),
        ("lat,lon,p,q", "abne"), ("lat,dir,lon,dir", "anbe"),
    ])
    func `hemispheres are read from columns of any name beside the position`(
        _ head: String, _ order: String
    ) {
        func row(_ cells: [Character: String]) -> String {
            order.map { cells[$0] ?? "" }.joined(separator: ",")
        }
        let rows = [
            // Loggers without a fix write 0 and no letter.
            row(["a": "0", "b": "0"]), row(["a": "33.5", "n": "S", "b": "70.25", "e": "w"]),
            row(["a": "48.5", "n": "N", "b": "16.25", "e": "E"]),
        ]
        let reading = Reading(
            "time,\(head)\n" + rows.map { "2024-06-01T10:00:00Z,\($0)\n" }.joined())
        #expect(reading.error == nil)
        #expect(
            reading.fixes.suffix(2).map(\.coordinate) == [
                Coordinate(latitude: -33.5, longitude: -70.25),
                Coordinate(latitude: 48.5, longitude: 16.25),
            ])
        #expect(reading.warning == nil)
    }

    @Test(arguments: ["lat,lon,wind,swell,x\n48,11,S,NW,W", "lat,lon,wind\n48,11,W"])
    func `the direction of a wind is no hemisphere`(_ text: String) {
        let reading = Reading(text + "\n")
        #expect(reading.fixes.map(\.coordinate) == [Coordinate(latitude: 48, longitude: 11)])
        #expect(reading.warning?.contains("not read: wind") == true)
    }

    @Test func `a course may be named as true, and a magnetic one is not read`() {
        let reading = Reading("lat,lon,Course(T),Course(M)\n48,11,90,85\n")
        #expect(reading.fixes.map(\.course) == [90])
        #expect(reading.warning == "has columns that are not read: Course(M)")
        for name in ["Heading (M)", "course (mag)", "cog [magnetic]"] {
            #expect(Reading("lat,lon,\(name)\n48,11,85\n").fixes.map(\.course) == [nil])
        }
    }

    @Test(arguments: ["0", "0.0", "-1"])
    func `an accuracy of 0 is unknown`(_ text: String) {
        for reading in [
            Reading("lat,lon,accuracy,vacc\n48,11,\(text),\(text)\n"),
            Reading(
                #"{"type":"Feature","properties":{"accuracy":\#(text),"vertical_accuracy":\#(text)},"#
                    + #""geometry":{"type":"Point","coordinates":[11,48]}}"#),
            Reading(
                #"{"class":"TPV","mode":3,"lat":48,"lon":11,"alt":1,"eph":\#(text),"epv":\#(text),"#
                    + #""sep":\#(text),"eps":\#(text),"epd":\#(text)}"#),
        ] {
            #expect(reading.fixes.map(\.coordinate?.latitude) == [48])
            #expect(reading.fixes.map(\.accuracy) == [Accuracy()])
        }
    }
}
