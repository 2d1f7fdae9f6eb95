// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSTestTraits
import Testing

/// Files that are cut off, damaged or malicious: an error with a line number, and never a trap.
@Suite(.timeLimit(.generous))
struct HostileTests {
    private static func specimen(_ name: String) -> [UInt8] {
        var reading = Reading([])
        for index in 0..<4 {
            var fix = Fix()
            fix.time = UTCTime(
                unixNanoseconds: 1_774_094_400_000_000_000 + Int64(index) * 1_000_000_000)
            fix.coordinate = Coordinate(latitude: 48.2 + Double(index) * 1e-4, longitude: 16.3)
            fix.altitude = 171
            fix.mode = .threeD
            fix.quality = .autonomous
            fix.dilution.hdop = 1
            reading.entries.append(Reading.Entry(fix: fix, segment: 1))
        }
        return OutputFormats.named(name).map { reading.written(as: $0) } ?? []
    }

    private static let names = OutputFormats.names.filter { $0 != "nmea" }

    @Test(arguments: names)
    func `every chunking gives the same fixes`(_ name: String) {
        let bytes = Self.specimen(name)
        let whole = Reading(bytes)
        #expect(whole.entries.count == 4)
        for piece in [1, 2, 3, 7, 64] { #expect(Reading(bytes, piece: piece) == whole) }
    }

    @Test(arguments: names)
    func `a file cut off anywhere gives its complete fixes`(_ name: String) {
        let bytes = Self.specimen(name)
        let whole = Reading(bytes)
        for count in 0..<bytes.count {
            let cut = Reading(Array(bytes.prefix(count)))
            #expect(cut.entries.count <= whole.entries.count)
            // A number may be cut off if nothing marks its end.
            let sure = cut.entries.dropLast()
            #expect(sure.elementsEqual(whole.entries.prefix(sure.count)), "\(count)")
        }
    }

    @Test(arguments: names)
    func `damage does not trap, and every position is valid`(_ name: String) {
        damage(Self.specimen(name))
    }

    private static let places = Array(
        """
        <gpx><wpt lat="48.1" lon="11.5"><ele>520</ele><time>2026-03-21T12:00:00Z</time>
        <name>A</name><cmt>B</cmt><sym>C</sym></wpt><rte><name>D</name><rtept lat="48.3" lon="11.7">
        <name>E</name></rtept><rtept lat="48.4" lon="11.8"/></rte></gpx>
        """.utf8)

    @Test func `damaged waypoints and routes do not trap, and every position is valid`() {
        damage(Self.places)
        for piece in [1, 3, 64] {
            let reading = Reading(Self.places, piece: piece, keepsWaypoints: true)
            #expect(reading.waypoints.map(\.name) == ["A"])
            #expect(reading.routes.map(\.points.count) == [2])
            #expect(reading.fixes.isEmpty)
        }
    }

    @Test func `a route that is cut off or damaged gives its complete points`() {
        let text = String(decoding: Self.places, as: UTF8.self)
        for (end, replacement) in [("</rte>", ""), ("</rte>", "</gpx>"), ("</gpx>", "</rte>")] {
            let start = text.firstRange(of: end).map { text[..<$0.lowerBound] } ?? ""
            let reading = Reading(Array((start + replacement).utf8))
            #expect(reading.fixes.map(\.coordinate?.latitude) == [48.3, 48.4])
            #expect(reading.error != nil)
        }
    }

    @Test func `a route that is cut off is kept if the output stores routes`() {
        let gpx =
            #"<gpx><rte><name>A</name><rtept lat="48" lon="11"/><rtept lat="49" lon="11"/>"#
            + #"<rtept lat="50""#
        let points = ["11,48", "11,49"].map {
            "<Placemark><Point><coordinates>\($0)</coordinates></Point></Placemark>"
        }
        let kml =
            "<kml><Folder><name>A</name><ExtendedData><Data name=\"kind\"><value>route</value>"
            + "</Data></ExtendedData>\(points.joined())<Placemark><Point>"
        for text in [gpx, kml] {
            let kept = Reading(Array(text.utf8), keepsWaypoints: true)
            #expect(kept.error != nil && kept.fixes.isEmpty)
            #expect(kept.routes.map(\.name) == ["A"])
            #expect(kept.routes.map { $0.points.map(\.coordinate.latitude) } == [[48, 49]])
            #expect(Reading(text).fixes.map(\.coordinate?.latitude) == [48, 49])
        }
    }

    @Test(arguments: ["garbage", "\u{0}", "{]", "{"])
    func `a fix before damage in gpsd's JSON is read`(_ damage: String) {
        let bytes = Self.specimen("json")
        #expect(Reading(bytes + damage.utf8).fixes == Reading(bytes).fixes)
    }

    /// Reads 400 damaged copies of a file.
    private func damage(_ bytes: [UInt8]) {
        var random = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: 0...UInt64.max, using: &random)
        var state = seed
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for _ in 0..<400 {
            var damaged = bytes
            for _ in 0...next(4) {
                let index = next(damaged.count)
                switch next(3) {
                case 0: damaged[index] = UInt8(next(256))
                case 1: damaged.remove(at: index)
                default: damaged.insert(contentsOf: Array("9e\"<{[,\n\\".utf8), at: index)
                }
            }
            let reading = Reading(damaged, piece: 1 + next(100), keepsWaypoints: true)
            let places = reading.waypoints + reading.routes.flatMap(\.points)
            for position in reading.fixes.compactMap(\.coordinate) + places.map(\.coordinate) {
                #expect(position.isValid, "seed \(seed)")
            }
        }
    }

    @Test(arguments: [
        ("{\"type\":\"Feature\",\n\"id\":nul}", "file:2: not a JSON value: 'nul'"),
        ("{\"type\":\"Feature\",\n,}", "file:2: the JSON is not valid: ',' is not expected here"),
        ("[1,2]", "neither GeoJSON nor gpsd's JSON"),
        // Google's timeline, OwnTracks and TopoJSON.
        (#"{"locations":[{"latitudeE7":481}]}"#, "file: this is neither GeoJSON nor gpsd's JSON"),
        (#"{"_type":"location","lat":48,"lon":16}"#, "this is neither GeoJSON nor gpsd's JSON"),
        (#"{"type":"Topology","arcs":[[[1,2],[3,4]]]}"#, "neither GeoJSON nor gpsd's JSON"),
        ("{\"type\":1", "the JSON is cut off"),
        ("<html></html>", "file:1: this is not GPX, KML or TCX: it begins with <html>"),
        ("<gpx><trk>\n</gpx>", "file:2: the XML is not well-formed: mismatched tag"),
        ("lat,lon\n1,0X2\n", "file:2: the longitude is not a number: \"0X2\""),
        ("<!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx>&a;</gpx>", "the XML declares an entity"),
        ("lat,lon,time\n1,2,yesterday\n", "file:2: not a time"),
        ("lat,lon,date\n1,2,3/4/2026 12:00\n", "file:2: not a time"),
        ("lat,lon\n\n91,2\n", "file:3: not a position"),
        ("lat,lon\n1,2,3\n", "file:2: a row has 3 fields, but the header has 2"),
        ("lat,lon\n1,\"2", "a quoted field is cut off"),
        ("lat,lon,ele\n48,16,5\n48,1", "file:3: the last row is cut off"),
        (table(50, "48.5,16.3"), "file:52: the last row is cut off"),
        (table(50, "48.5,"), "file:52: the last row is cut off"),
        ("AXXX000\nHFDTE210326\nB1200004800000N", "file:3: not a fix: \"B1200004800000N\""),
    ])
    func `an error has the line number and the reason`(_ text: String, _ message: String) {
        let description = Reading(text).error?.description ?? "no error"
        #expect(description.contains(message), "\(description)")
    }

    /// A CSV table with rows whose longitudes have two decimals, and a last row.
    private static func table(_ rows: Int, _ last: String) -> String {
        "lat,lon\n" + String(repeating: "48.5,16.37\n", count: rows) + last
    }

    /// A CSV table whose last column is not always known.
    private static let courses =
        "lat,lon,course\n" + String(repeating: "48.5,16.37,12.5\n", count: 50)
        + "48.5,16.37,\n48.5,16.38,"

    @Test(arguments: [
        table(50, "48.5,16.38"), table(50, "48.5,16.3\n48.5,16.4"), table(50, "48.5,\"16\""),
        table(50, "48.5,16.30"), "lat,lon\n48,16\n48,17",
        // Programs that leave out zeros at the end of a number.
        table(1, "48.5,16.4"), table(20, "48.5,16"), table(0, "48.5,16.3"), courses,
    ])
    func `the last row of a table needs no line end`(_ text: String) {
        let reading = Reading(text)
        #expect(reading.error == nil)
        #expect(reading.fixes.count == text.split(separator: "\n").count - 1)
    }

    @Test func `endless nesting or growth is an error`() {
        func error(_ head: String, _ part: String, _ count: Int) -> String {
            Reading(head + String(repeating: part, count: count)).error?.reason ?? "no error"
        }
        #expect(error("{\"a\":", "[", 1_000_000).contains("nested too deeply"))
        #expect(error("<gpx>", "<a>", 1_000_000).contains("the XML is nested too deeply"))
        #expect(error("{\"a\":1", "1", 1000).contains("not expected"))
        #expect(error("lat,lon\n", "1", 1_000_000).contains("row is too long"))
        #expect(error("HFDTE210326\nB", "1", 1_000_000).contains("not a fix"))
        #expect(error("<kml><LineString><coordinates>", "1", 1000).contains("too long"))
        #expect(error("<gpx><wpt lat=\"", "1", 10_000_000).contains("a tag is too long"))
        #expect(error("<gpx><!--", "1", 10_000_000).contains("a tag is too long"))
        // Long texts are read, not kept.
        #expect(error("<gpx>", "1", 10_000_000).contains("no element found"))
        #expect(error("{\"type\":\"", "a", 10_000_000).contains("cut off"))
    }

    @Test func `sentences and unknown formats are left to the decoder`() {
        for text in [
            "$GPGGA,", "!AIVDM", "\u{01}\u{02}", "17,A,S*5C\r\n$GP", "", "hello, world\n", "# 2026",
            "Agps data\nH", "ABCD\n$GPGGA,", "\u{0E}1234567.fit", "\u{0E}1234567.FI",
            // What `gpspipe -r` writes.
            "{\"class\":\"VERSION\"}\r\n{\"class\":\"WATCH\",\"nmea\":true}\r\n$GPGGA,",
            // Logs with a time or a name in front of each line.
            "[2026-03-21 10:15:20] $GPGGA,", "[10:15:20.123] terminal\r\n[10:15:20.124] $GPGGA,",
            "{\"t\":\"10:15:20\",\"ascii\":\"$GPGGA,\\r\\n\"}\n", "{\"ais\":\"!AIVDM,\"}",
            "[GPS] $GPGGA,", "[ 21456] !AIVDM,", "<14>Mar 21 10:15:20 gps: $GPGGA,", "<- $GPGGA,",
            "<RX> $GPGGA,", "<gps0>10:15:20 !AIVDM,",
        ] {
            var detector = InputDetector(file: "file")
            let decision = detector.push(Array(text.utf8)[...], isLast: true)
            guard case .sentences = decision else {
                Issue.record("\(text) is not left to the decoder")
                continue
            }
        }
    }

    @Test func `sentences in JSON are found after other lines, for every chunking`() {
        let sentence = "{\"tag\":\"NMEA\",\"ascii\":\"$GPGGA,\"}\n"
        for text in [
            "{\"tag\":\"UBX\",\"msg\":\"NAV-PVT\",\"bin\":\"b562\"}\n" + sentence,
            "{\"type\":\"nmea\",\"line\":\"$GPGGA,\"}\n", "{\"class\":\"ubx\"}\r\n" + sentence,
        ] {
            var detector = InputDetector(file: "file")
            var isFound = false
            for byte in text.utf8 where !isFound {
                switch detector.push([byte]) {
                case .undecided: break
                case .sentences: isFound = true
                case .reader: Issue.record("\(text) is taken for gpsd's JSON or GeoJSON")
                }
            }
            if !isFound, case .sentences = detector.push([], isLast: true) { isFound = true }
            #expect(isFound, "\(text)")
        }
    }

    // What `gpspipe -R` writes.
    @Test func `binary frames after the objects of gpsd are left to the decoder`() {
        let objects = "{\"class\":\"VERSION\"}\r\n{\"class\":\"WATCH\",\"raw\":2}\r\n"
        for frame in [[0xB5, 0x62, 0x01, 0x07], [0xD3, 0x00, 0x13]] as [[UInt8]] {
            var detector = InputDetector(file: "file")
            let decision = detector.push((Array(objects.utf8) + frame)[...])
            guard case .sentences = decision else {
                Issue.record("\(frame) is not left to the decoder")
                continue
            }
        }
    }

    @Test(arguments: ["<", "<w", "{", "[", "{\"class\":\"VERSION\"}\n{"])
    func `a recording that begins within a binary frame is left to the decoder`(_ start: String) {
        // The end of a frame, and a NAV-EOE.
        let frame: [UInt8] = [0xB5, 0x62, 0x01, 0x61, 0x04, 0, 0x90, 0xD8, 0xF3, 0x1F, 0xE0, 0xE3]
        var detector = InputDetector(file: "file")
        for byte in Array(start.utf8) + frame {
            switch detector.push([byte]) {
            case .undecided: continue
            case .sentences: return
            default: Issue.record("a binary frame was taken for text")
            }
        }
        Issue.record("nothing was detected")
    }

    @Test func `a format is detected for every chunking of its beginning`() {
        for text in [
            "{\"class\":\"VERSION\"}\n{\"class\":\"TPV\"}",
            "\n  <?xml version='1.0'?><gpx/>", "\u{FEFF}{\"class\":1}", "time,lat,lon\n",
            "AXCT1\r\nH", "[1,2]\n", "[\n {", "{\"a\":1}\n",
            // Texts that look like sentences.
            "{\"note\":\"$GPGGA,\",\"type\" : \"Feature\"}\n", "{\"$schema\":\"a\"}\n",
            "{\"class\":\"AIS\",\"shipname\":\"!ABBA\"}\n",
            "<gpx><name>$GPGGA,</name></gpx>", "<gpx creator='$GPGGA'>\n$GPGGA",
            "\u{0E} 12\u{00}\u{00}\u{00}\u{00}.FIT",
        ] {
            var detector = InputDetector(file: "file")
            var isFound = false
            for byte in text.utf8 where !isFound {
                if case .reader = detector.push([byte]) { isFound = true }
            }
            if !isFound, case .reader = detector.push([], isLast: true) { isFound = true }
            #expect(isFound, "\(text)")
        }
    }
}
