// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSTestTraits
import Testing

/// Objects of one epoch are one fix in every order.
@Suite(.timeLimit(.generous))
struct GPSDJoinTests {
    private static let second = 19

    private func tpv(_ second: Int = second, _ more: String = "") -> String {
        #"{"class":"TPV","device":"gps","mode":3,"time":"2026-03-23T12:35:\#(second).000Z","#
            + #""lat":48.117300000,"lon":11.516666667,"altMSL":545.4000\#(more)}"#
    }

    private func sky(
        _ second: Int? = second, hdop: String = "0.90", list: Bool = true, device: String = "gps"
    ) -> String {
        let time = second.map { #","time":"2026-03-23T12:35:\#($0).000Z""# } ?? ""
        let satellite = #"{"PRN":5,"gnssid":0,"svid":5,"used":true}"#
        return #"{"class":"SKY","device":"\#(device)"\#(time),"hdop":\#(hdop),"uSat":7"#
            + (list ? #","satellites":[\#(satellite)]}"# : "}")
    }

    private func gst(_ second: Int = second) -> String {
        #"{"class":"GST","device":"gps","time":"2026-03-23T12:35:\#(second).000Z","lat":3,"lon":4,"alt":6}"#
    }

    private func att(_ second: Int = second) -> String {
        #"{"class":"ATT","device":"gps","time":"2026-03-23T12:35:\#(second).000Z","heading":12.5}"#
    }

    private func read(_ objects: String...) -> Reading {
        Reading(objects.joined(separator: "\n"))
    }

    @Test func `four objects of the same time are one fix in every order`() throws {
        let objects = [tpv(), sky(), gst(), att()]
        for first in 0..<4 {
            for second in 0..<4 where second != first {
                let rest = (0..<4).filter { $0 != first && $0 != second }
                for end in [rest, rest.reversed()] {
                    let order = [first, second] + end
                    let reading = Reading(order.map { objects[$0] }.joined(separator: "\n"))
                    #expect(reading.fixes.count == 1, "\(order)")
                    let fix = try #require(reading.fixes.first)
                    #expect(fix.dilution.hdop == 0.9 && fix.satellitesUsed == 7, "\(order)")
                    #expect(fix.accuracy.horizontal == 1.07 * 5, "\(order)")
                    #expect(fix.accuracy.vertical == 6, "\(order)")
                    #expect(fix.attitude.heading == 12.5, "\(order)")
                    #expect(reading.views.count == 1, "\(order)")
                }
            }
        }
    }

    @Test
    func `errors that gpsd calculates with the DOPs of an earlier list are the same accuracy`() {
        let errors = #","eph":22.800"#
        let reading = read(
            sky(18, hdop: "1.20"), tpv(18, errors), tpv(19, errors), tpv(20, #","eph":3.5"#))
        #expect(reading.fixes.map(\.dilution.hdop) == [1.2, nil, nil])
        let accuracies = reading.fixes.map(\.accuracy.horizontal)
        #expect(accuracies[0] != nil && accuracies[0] == accuracies[1])
        #expect(reading.fixes[0].accuracy.source == .dilution)
        #expect(reading.fixes[2].accuracy.source != .dilution)
    }

    @Test func `an impossible DOP or signal costs that value only`() {
        let list =
            #"{"class":"SKY","device":"gps","time":"2026-03-23T12:35:19.000Z","hdop":-1,"pdop":2,"#
            + #""satellites":[{"gnssid":0,"svid":5,"ss":1e308,"el":45},{"gnssid":0,"svid":6,"ss":40}]}"#
        let reading = read(list, tpv())
        #expect(reading.fixes.map(\.dilution) == [DilutionOfPrecision(pdop: 2)])
        #expect(reading.views.first?.signals.map(\.cn0) == [nil, 40])
        #expect(reading.views.first?.signals.first?.elevation == 45)
    }

    @Test func `the fixes of another device begin a segment, unless devices alternate`() {
        func object(_ device: String, _ second: Int) -> String {
            #"{"class":"TPV","device":"\#(device)","mode":2,"lat":48,"lon":11,"#
                + #""time":"2026-03-23T12:35:\#(second).000Z"}"#
        }
        let one = ["a", "a", "b", "b", "a"].enumerated().map { object($1, 10 + $0) }
        let reading = Reading(one.joined(separator: "\n"))
        #expect(reading.entries.map(\.segment) == [1, 1, 2, 2, 3])
        let many = (0..<40).map { object($0 % 2 == 0 ? "a" : "b", 10 + $0 / 2) }
        let alternating = Reading(many.joined(separator: "\n"))
        #expect(alternating.fixes.count == 40)
        #expect(alternating.entries.last?.segment ?? 0 <= 4)
    }

    @Test func `objects of another time or device are not part of the fix`() {
        let reading = read(
            sky(18), tpv(19), sky(20), tpv(21), sky(21, device: "other"), gst(22), att(22), tpv(23))
        #expect(reading.fixes.count == 3)
        #expect(reading.fixes.allSatisfy { $0.dilution.hdop == nil })
        #expect(reading.fixes.allSatisfy { $0.standardDeviation.latitude == nil })
        #expect(reading.fixes.allSatisfy { $0.attitude == Attitude() })
        // No list is lost.
        #expect(reading.views.count == 3)
    }

    @Test func `gpsd's lists without a time belong to the following fix`() {
        let reading = read(
            sky(nil, hdop: "4.87", list: false), sky(nil, hdop: "1.10"), tpv(19),
            sky(nil, hdop: "2.20"), tpv(20))
        #expect(reading.fixes.map(\.dilution.hdop) == [1.1, 2.2])
    }

    @Test func `a TPV that gpsd repeats within an epoch is not another fix`() throws {
        let long = sky(nil).replacing("]", with: #",{"PRN":7,"gnssid":0,"svid":7,"used":true}]"#)
        let reading = read(
            long, tpv(19), gst(19), sky(nil, hdop: "0.80", list: false), tpv(19), sky(nil),
            tpv(19, #","altHAE":592.3"#),
            // The time of this SKY is wrong.
            tpv(20), sky(5, list: false), tpv(20),
            // Another position is another fix, even at the same time.
            tpv(21), tpv(21).replacing("48.1173", with: "48.1183"))
        #expect(reading.fixes.map { $0.time?.time.second } == [19, 20, 21, 21])
        let fix = try #require(reading.fixes.first)
        #expect(fix.ellipsoidalAltitude == 592.3 && fix.standardDeviation.latitude == 3)
        #expect(fix.dilution.hdop == 0.9 && fix.satellitesUsed == 7)
        // The list without the second satellite was not complete.
        #expect(reading.views.map(\.signals.count) == [2])
    }

    // FIT has whole seconds, and a merge gives several receivers one device name.
    @Test func `fixes of gpsbridge at the same time and position are not repetitions`() {
        for member in [#","modelled":"altHAE geoidSep""#, #","hdop":0.90"#, #","uSat":7"#] {
            let reading = read(tpv(19, member), tpv(19, member), sky(19), tpv(20, member))
            #expect(reading.fixes.map { $0.time?.time.second } == [19, 19, 20])
            #expect(reading.views.count == 1)
        }
        var fast = Reading([])
        for index in 0..<30 {
            var fix = Fix()
            fix.time = UTCTime(
                unixNanoseconds: 1_774_094_400_000_000_000 + Int64(index) * 100_000_000)
            fix.coordinate = Coordinate(latitude: 48 + Double(index) * 4.5e-6, longitude: 16)
            fix.altitude = 171
            fix.complete(mode: nil, quality: nil)
            fast.entries.append(Reading.Entry(fix: fix, segment: 1))
        }
        let fit = Reading(fast.written(as: FITFormat.self))
        #expect(fit.fixes.count == 30)
        #expect(Reading(fit.written(as: GPSDFormat.self)).fixes.count == 30)
    }

    @Test func `a repeated TPV replaces no values by missing ones`() throws {
        let long = sky(20).replacing("]", with: #",{"PRN":7,"gnssid":0,"svid":7,"used":true}]"#)
            .replacing(#""uSat":7"#, with: #""uSat":8"#)
        let onlySpeed = tpv(20, #","speed":2.5"#).replacing(#","altMSL":545.4000"#, with: "")
        let reading = read(
            tpv(19, #","wspeedr":3.5"#), tpv(19),
            // gpsd also repeats a SKY of the epoch before.
            tpv(20, #","eph":9.5"#), sky(19, list: false), sky(20), long, tpv(20, #","eph":9.5"#),
            sky(20, hdop: "0.70", list: false).replacing(#","uSat":7"#, with: ""), onlySpeed,
            tpv(21))
        #expect(reading.fixes.map { $0.time?.time.second } == [19, 20, 21])
        #expect(reading.fixes.map(\.altitude) == [545.4, 545.4, 545.4])
        #expect(reading.fixes.first?.instruments.known.map(\.value) == [3.5])
        let fix = try #require(reading.fixes.dropFirst().first)
        #expect(fix.dilution.hdop == 0.7 && fix.satellitesUsed == 8)
        #expect(fix.accuracy.horizontal != nil)
        #expect(reading.views.map(\.signals.count) == [2])
    }

    @Test func `satellites of an old gpsd, which sends only their PRN, are read`() throws {
        let satellites = [5, 70, 131, 302, 0].map { #"{"PRN":\#($0),"used":\#($0 < 100)}"# }
        let list = satellites.joined(separator: ",")
        let reading = read(
            #"{"class":"SKY","device":"gps","satellites":[\#(list)]}"#, tpv(19))
        let view = try #require(reading.views.first)
        #expect(view.signals.map(\.id.description) == ["G05", "S131", "E02", "R06"])
        #expect(reading.fixes.first?.satellitesUsed == 2)
    }

    @Test func `the time of a very old gpsd is a number of seconds`() throws {
        let reading = read(
            #"{"class":"TPV","device":"gps","time":1253336487.996,"lat":48,"lon":11,"mode":2}"#)
        let time = try #require(reading.fixes.first?.time)
        #expect("\(time)" == "2009-09-19T05:01:27.996Z")
        let absurd = read(
            #"{"class":"TPV","device":"gps","time":1e300,"lat":48,"lon":11,"mode":2}"#)
        #expect(absurd.fixes.count == 1 && absurd.fixes.first?.time == nil)
    }

    @Test func `an estimate that is a multiple of the DOP comes from our own model`() throws {
        for (eph, hdop) in [("17.100", "0.90"), ("7.785", "0.90"), ("17.150", "0.90")] {
            let fix = try #require(
                read(sky(hdop: hdop), tpv(19, #","eph":\#(eph)"#)).fixes.first)
            #expect(fix.accuracy.horizontal == 1.07 * 0.9 * 5, "\(eph)")
            #expect(fix.accuracy.source == .dilution)
        }
        let own = try #require(read(sky(), tpv(19, #","eph":8.731"#)).fixes.first)
        // An accuracy from the receiver, rounded to the fewest decimals that it can have had.
        #expect(own.accuracy.horizontal == 5.4)
        #expect(own.accuracy.source == nil)
    }

    @Test func `a compass without a receiver keeps its attitudes and does not split a track`() {
        let compass = read(att(19), att(20), att(21))
        #expect(compass.fixes.map(\.attitude.heading) == [12.5, 12.5, 12.5])
        let boat = read(tpv(19), att(20), att(21), tpv(22))
        #expect(boat.fixes.count == 2 && boat.entries.allSatisfy { $0.fix.coordinate != nil })
    }

    @Test(arguments: [1, 7, 1000])
    func `the keys of an object may be sorted`(_ piece: Int) throws {
        let sorted =
            #"{"alt":171,"altMSL":171,"class":"TPV","device":"/dev/ttyUSB0","lat":48.2,"lon":16.3,"#
            + #""mode":3,"time":"2026-03-21T12:00:19.000Z"}"#
        let text = "\(sorted)\n\(sorted.replacing(":19", with: ":20"))\n"
        let reading = Reading(Array(text.utf8), piece: piece)
        #expect(reading.error == nil)
        #expect(reading.fixes.map(\.altitude) == [171, 171])
        #expect(reading.fixes.map { $0.time?.time.second } == [19, 20])
        // GeoJSON may have other members first, too.
        let feature =
            #"{"id":7,"class":"road","geometry":{"type":"Point","coordinates":[16,48]},"#
            + #""properties":{},"type":"Feature"}"#
        let other = Reading(Array(feature.utf8), piece: piece)
        #expect(other.fixes.map(\.coordinate) == [Coordinate(latitude: 48, longitude: 16)])
        for text in ["{}", "7", "[7]"] {
            #expect(Reading(Array(text.utf8), piece: piece).fixes.isEmpty)
        }
    }

    @Test(arguments: [
        "2026-03-21 12:00:00.123: ", "2026-03-21 12:00:00 1774094400.123456: ",
        "Mar 21 12:00:00 boat gpspipe[7]: ",
    ])
    func `the lines of a log may have a time in front of the object`(_ prefix: String) throws {
        func log(_ lines: String...) -> [UInt8] {
            let version = #"{"class":"VERSION","release":"3.25"}"#
            return ([version] + lines).flatMap { Array((prefix + $0 + "\r\n").utf8) }
        }
        let (sentence, later) = ("$GPGLL,4812.00,N,01618.00,E,120019.00,A,A*67", tpv(20))
        let text = log(tpv(19), sentence, sky(), later)
        let whole = Reading(text)
        #expect(whole.error == nil)
        #expect(whole.fixes.map { $0.time?.time.second } == [19, 20])
        #expect(whole.fixes.map(\.dilution.hdop) == [0.9, nil])
        #expect(Reading(text, piece: 7) == whole)
        let damaged = log(tpv(19).replacing("}", with: ""), tpv(20))
        #expect(Reading(damaged).fixes.map { $0.time?.time.second } == [20])
        #expect(try warning(damaged)?.contains("near line 3") == true)
        // gpspipe -r -t
        var detector = InputDetector(file: "file")
        switch detector.push(log(sentence)[...], isLast: true) {
        case .sentences: break
        case .reader, .undecided: Issue.record("sentences were taken for objects")
        }
    }

    // gpspipe -w -r writes both. In a file that begins with a sentence, the sentences are read.
    @Test(arguments: [1, 7, 1000])
    func `sentences between the objects are skipped`(_ piece: Int) throws {
        let sentences =
            "$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230326,003.1,W*6D\r\n"
            + "!AIVDM,1,1,,A,14eG;o@034o8sd<L9i:a;WF>062D,0*7D\n"
        let version = #"{"class":"VERSION","release":"3.25"}"#
        let lines = [version, tpv(19), sentences + sky(19), tpv(20), sentences, tpv(21), "$GPRMC"]
        let reading = Reading(Array(lines.joined(separator: "\n").utf8), piece: piece)
        #expect(reading.error == nil)
        #expect(reading.fixes.map { $0.time?.time.second } == [19, 20, 21])
        #expect(reading.fixes.first?.dilution.hdop == 0.9)
        // In other places, they are not JSON.
        let wrong = Array("{\"class\":\"TPV\",\n$GPRMC\n".utf8)
        #expect(Reading(wrong, piece: piece).fixes.isEmpty)
        #expect(try warning(wrong)?.contains("near line 2") == true)
    }

    /// Returns the warning about a file.
    private func warning(_ bytes: [UInt8]) throws -> String? {
        var detector = InputDetector(file: "file")
        guard case .reader(var reader) = detector.push(bytes[...], isLast: true) else { return nil }
        try reader.push(bytes[...]) { _ in }
        return reader.warning
    }

    // A power failure leaves half a line, or zeros, in a log that is continued after it.
    @Test(arguments: [1, 7, 1000])
    func `reading continues after damage, which is reported`(_ piece: Int) throws {
        func lines(_ damaged: String) -> [UInt8] {
            Array([tpv(19), damaged, tpv(21), sky(21), tpv(22)].joined(separator: "\n").utf8)
        }
        let whole = tpv(20)
        for count in stride(from: 1, to: whole.utf8.count, by: 3) {
            for end in ["", "\n", "\0\0\0", "x\n"] {
                let cut = String(whole.prefix(count)) + end
                let reading = Reading(lines(end == "\0\0\0" ? cut + tpv(20) : cut), piece: piece)
                #expect(reading.error == nil, "\(cut)")
                let seconds = reading.fixes.compactMap { $0.time?.time.second }
                #expect(seconds.first == 19 && seconds.last == 22, "\(cut): \(seconds)")
                // After a colon, the next object is taken for a value.
                let isOpen = ["", "\n"].contains(end) && whole.prefix(count).hasSuffix("\":")
                #expect(seconds.contains(21) != isOpen, "\(cut): \(seconds)")
            }
        }
        let text = try #require(try warning(lines(#"{"class":"TPV","device":"gp"#)))
        #expect(text == "is damaged near line 2: the damaged objects are left out")
        let twice = lines("{,\n\(tpv(20))\n{\"class\":\"TPV\",x}\n}")
        #expect(
            try warning(twice)
                == "is damaged in 3 places, the first one near line 2: the damaged objects "
                + "are left out")
        #expect(Reading(twice, piece: piece).fixes.count == 4)
        #expect(try warning(lines(tpv(20))) == nil)
        // The end of the file is missing.
        #expect(Reading(Array("\(tpv(19))\n{\"class".utf8), piece: piece).error != nil)
    }

    // Scripts that ask gpsd now and then write such files.
    @Test func `the objects in a POLL are read, and repeated ones are not another fix`() {
        func poll(_ second: Int, _ skies: String...) -> String {
            #"{"class":"POLL","time":"2026-03-23T12:36:00.000Z","active":1,"#
                + #""tpv":[\#(tpv(second))],"gst":[\#(gst(second))],"#
                + #""sky":[\#(skies.joined(separator: ","))]}"#
        }
        let reading = read(
            poll(19, sky(nil, hdop: "0.90")), poll(19, sky(nil, hdop: "0.90")),
            poll(20, sky(nil, hdop: "1.50")), poll(21), tpv(22))
        #expect(reading.error == nil)
        #expect(reading.fixes.map { $0.time?.time.second } == [19, 20, 21, 22])
        #expect(reading.fixes.map(\.dilution.hdop) == [0.9, 1.5, nil, nil])
        #expect(reading.fixes.map(\.accuracy.vertical) == [6, 6, 6, nil])
        #expect(reading.views.count == 2)
    }

    // gpsd writes such commas in RTCM3 objects, which it sends if it uses an NTRIP server.
    @Test func `a comma before a closing brace or bracket is accepted`() throws {
        let reading = read(
            tpv(19), #"{"class":"RTCM3","type":1006,"system":["GPS",],"refstation":false,}"#,
            tpv(20))
        #expect(reading.error == nil && reading.fixes.count == 2)
        let wrong = [tpv(19), #"{"class":"RTCM3",,"type":1006}"#].joined(separator: "\n")
        #expect(try warning(Array(wrong.utf8)) != nil)
    }
}

/// The accuracy in gpsd's JSON of a receiver whose own errors gpsd copies.
@Suite(.timeLimit(.generous))
struct GPSDAccuracyTests {
    private static func lines(_ driver: String, _ rest: String = "", _ rev: String = "3.22")
        -> String
    {
        #"{"class":"VERSION","release":"3.22","rev":"\#(rev)","proto_major":3,"proto_minor":14}"#
            + "\n"
            + #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","driver":"\#(driver)","#
            + #""activated":"2026-03-21T12:00:00.000Z"}]}"# + "\n"
            + #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-03-21T12:00:00.000Z","#
            + #""lat":48.1173,"lon":11.5167,"altMSL":545.4,"epv":7.500,"eps":0.20,"eph":4.815\#(rest)}"#
            + "\n"
    }

    @Test func `gpsd's errors of a u-blox are one sigma`() throws {
        let accuracy = try #require(Reading(Self.lines("u-blox")).fixes.first).accuracy
        #expect(abs((accuracy.horizontal ?? 0) - 5.152) < 0.001)
        #expect(accuracy.vertical == 7.5 && accuracy.speed == 0.2)
        #expect(accuracy.source == .receiver)
    }

    @Test func `the geoid separation fits the altitudes, not gpsd's table`() throws {
        let rest = #","altHAE":593.217,"geoidSep":43.859"#
        let fix = try #require(Reading(Self.lines("u-blox", rest)).fixes.first)
        #expect(fix.altitude == 545.4 && fix.ellipsoidalAltitude == 593.217)
        #expect(abs((fix.geoidSeparation ?? 0) - 47.817) < 1e-9)
        // A value that differs only by rounding is kept.
        let same = #","altHAE":593.217,"geoidSep":47.818"#
        #expect(Reading(Self.lines("u-blox", same)).fixes.first?.geoidSeparation == 47.818)
    }

    @Test func `without a climb and a speed, they follow from the velocity`() throws {
        let rest = #","velN":-3.0,"velE":4.0,"velD":0.25"#
        let fix = try #require(Reading(Self.lines("SiRF", rest)).fixes.first)
        #expect(fix.speed == 5 && fix.climb == -0.25)
    }

    @Test func `with a position, a number of 0 satellites is unknown`() throws {
        #expect(Reading(Self.lines("SiRF", #","uSat":0"#)).fixes.first?.satellitesUsed == nil)
        #expect(Reading(Self.lines("SiRF", #","uSat":4"#)).fixes.first?.satellitesUsed == 4)
    }

    @Test func `the driver may become known later, and belongs to its device`() throws {
        let text = Self.lines("NMEA0183")
        let line = #"{"class":"DEVICE","path":"/dev/PATH","driver":"u-blox"}"# + "\n"
        for (path, isOneSigma) in [("a", true), ("b", false)] {
            var lines = text.split(separator: "\n").map { "\($0)\n" }
            lines.insert(line.replacing("PATH", with: path), at: 2)
            let fix = try #require(Reading(lines.joined()).fixes.first)
            #expect((fix.accuracy.vertical == 7.5) == isOneSigma)
        }
    }

    @Test func `other errors are 95 per cent: other drivers', ours, and multiples of a DOP`() throws
    {
        for text in [
            Self.lines("NMEA0183"), Self.lines("u-blox", #","integrity":"ok""#),
            Self.lines("u-blox", #","integrity":{"state":"ok","reasons":[]}"#),
        ] {
            let accuracy = try #require(Reading(text).fixes.first).accuracy
            #expect(abs((accuracy.horizontal ?? 0) - 4.815 / 1.617) < 0.01)
            #expect(abs((accuracy.vertical ?? 0) - 7.5 / 1.96) < 0.01)
        }
        // 4.815 and 7.5 are 19 and 23 times these DOPs.
        let sky =
            #"{"class":"SKY","device":"/dev/a","time":"2026-03-21T12:00:00.000Z","hdop":0.25,"vdop":0.33}"#
        let fix = try #require(Reading(Self.lines("u-blox") + sky + "\n").fixes.first)
        #expect(fix.accuracy.source == .dilution)
        #expect(fix.accuracy.vertical.map { $0 < 5 } == true)
    }
}

/// The covariances and the protection level of fixes in JSON.
@Suite(.timeLimit(.generous))
struct CovarianceReadingTests {
    private static let start =
        #"{"class":"TPV","device":"gps","mode":3,"time":"2026-03-23T12:35:19.000Z","lat":48.2,"lon":16.36"#

    @Test func `covariances and protection level are read back from JSON`() throws {
        var fix = Fix()
        fix.set(time: try #require(UTCTime(written: "2026-03-23T12:35:19Z")))
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.coordinate = Coordinate(latitude: 48.2, longitude: 16.36)
        fix.covariance = Covariance(rows: [0.25, -0.125, 0.0625, 0.5, 0, 1.5])
        fix.velocityCovariance = Covariance(rows: [0.015625, 0, 0, 0.03125, 0, 0.0625])
        fix.protectionLevel = ProtectionLevel(horizontal: 14.5, vertical: 23.5, risk: 5e-7)
        var reports = GPSDReports(device: "gps", hasOwnMembers: true)
        reports.report(fix)
        let bytes = reports.bytes
        let text = String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        // A second object without these members doesn't inherit them.
        let fixes = Reading(text + Self.start.replacing(":19.", with: ":20.") + "}\n").fixes
        try #require(fixes.count == 2)
        #expect(fixes[0].covariance == fix.covariance)
        #expect(fixes[0].velocityCovariance == fix.velocityCovariance)
        #expect(fixes[0].protectionLevel == fix.protectionLevel)
        #expect(fixes[1].covariance == nil && fixes[1].velocityCovariance == nil)
        #expect(fixes[1].protectionLevel == nil)
    }

    @Test func `values too large to be written are absent, and the object is readable`() throws {
        var fix = Fix()
        fix.mode = .threeD
        fix.coordinate = Coordinate(latitude: 48.2, longitude: 16.36)
        fix.covariance = Covariance(rows: [1e9, 0, 0, 1, 0, 1])
        fix.velocityCovariance = Covariance(rows: [1, 0, 0, 1, -2e9, 1])
        fix.protectionLevel = ProtectionLevel(horizontal: 1e9, vertical: 1, risk: 5e-7)
        var reports = GPSDReports(device: "gps")
        reports.report(fix)
        let bytes = reports.bytes
        let reading = Reading(bytes.indices.map { bytes[$0] })
        #expect(reading.error == nil)
        let read = try #require(reading.fixes.first)
        #expect(read.coordinate == fix.coordinate)
        #expect(read.covariance == nil && read.velocityCovariance == nil)
        #expect(read.protectionLevel == nil)
    }

    @Test(arguments: ["null", "\"1\"", "[1]", "-1", "1e60"])
    func `a covariance with an invalid number is absent`(_ number: String) throws {
        let others = ["NE", "ND", "EE", "ED", "DD"].map { ",\"covariance\($0)\":1" }.joined()
        for (number, isKnown) in [("2", true), (number, false)] {
            let line = Self.start + ",\"covarianceNN\":\(number)\(others)}\n"
            let fix = try #require(Reading(line).fixes.first)
            #expect(fix.coordinate != nil)
            #expect((fix.covariance != nil) == isKnown)
        }
    }

    // Earlier versions wrote lists and objects.
    @Test func `a covariance and a protection level of an earlier version are read`() throws {
        let line =
            Self.start + #","covariance":[1,0,0,2,0,3],"velocityCovariance":[4,0,0,5,0,6],"#
            + #""protectionLevel":{"horizontal":1,"vertical":2,"risk":0.1}}"# + "\n"
        let fix = try #require(Reading(line).fixes.first)
        #expect(fix.covariance?.rows == [1, 0, 0, 2, 0, 3])
        #expect(fix.velocityCovariance?.rows == [4, 0, 0, 5, 0, 6])
        #expect(fix.protectionLevel == ProtectionLevel(horizontal: 1, vertical: 2, risk: 0.1))
    }

    @Test(arguments: [
        "[1,0,0,1,0]", "[1,0,0,1,0,1,0]", "[1,0,0,1,0,null]", "[1,0,0,1,0,\"1\"]", "[-1,0,0,1,0,1]",
        "[1,0,0,1,0,[1]]", "[]", "7", "{\"a\":1}", "[1,0,0,1,0,1e60]",
    ])
    func `a covariance that is not six valid numbers is absent`(_ list: String) throws {
        let fix = try #require(Reading(Self.start + ",\"covariance\":\(list)}\n").fixes.first)
        #expect(fix.coordinate != nil)
        #expect(fix.covariance == nil)
    }

    @Test(arguments: [
        #"{"horizontal":1,"vertical":2}"#, #"{"horizontal":-1,"vertical":2,"risk":0.1}"#,
        #"{"horizontal":1,"vertical":2,"risk":1.1}"#,
        #"{"horizontal":"1","vertical":2,"risk":0.1}"#,
    ])
    func `an incomplete or impossible protection level is absent`(_ object: String) throws {
        let fix = try #require(
            Reading(Self.start + ",\"protectionLevel\":\(object)}\n").fixes.first)
        #expect(fix.protectionLevel == nil)
    }
}

/// The integrity of fixes in JSON, CSV and GeoJSON.
@Suite(.timeLimit(.generous))
struct IntegrityReadingTests {
    private func fix() throws -> Fix {
        let day = try #require(CalendarDate(year: 2026, month: 3, day: 23))
        let time = try #require(TimeOfDay(hour: 12, minute: 35, second: 19))
        var fix = Fix()
        fix.set(time: UTCTime(date: day, time: time))
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.coordinate = Coordinate(latitude: 48.2, longitude: 16.36)
        let reason = Integrity.Reason(
            test: .positionStep, value: 412, threshold: 20, unit: "m", since: fix.time,
            text: #"moved 412 m in 1 s at a "reported" 3 m/s"#)
        fix.integrity = Integrity(state: .alarm, since: fix.time, reasons: [reason])
        return fix
    }

    private func text(_ fix: Fix, hasOwnMembers: Bool = true) -> String {
        var reports = GPSDReports(device: "gps", hasOwnMembers: hasOwnMembers)
        reports.report(fix)
        let bytes = reports.bytes
        return String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }

    @Test(arguments: [true, false])
    func `a TPV has the state, since when, and the reasons`(_ hasOwnMembers: Bool) throws {
        let line = text(try fix(), hasOwnMembers: hasOwnMembers)
        #expect(
            line.contains(
                #""integrity":"alarm","integritySince":"2026-03-23T12:35:19.000Z","#
                    + #""integrityReasons":"positionStep: moved 412 m in 1 s at a \"reported\" 3 m/s""#
            ), "\(line)")
    }

    @Test func `integrity is read back from JSON, with the tests and the texts of its reasons`()
        throws
    {
        var fix = try fix()
        var integrity = Integrity(state: .alarm, since: fix.time)
        for (test, text) in [
            (Integrity.Test.positionStep, "moved 412 m; at \"3 m/s\""), (.signalSpread, "1 dB"),
        ] {
            integrity.reasons.append(
                Integrity.Reason(test: test, value: 0, threshold: 0, unit: "", text: text))
        }
        fix.integrity = integrity
        #expect(Reading(text(fix)).fixes.first?.integrity == integrity)
    }

    // Written by version 0.1.0.
    @Test func `objects of earlier versions are read`() throws {
        let line = #"""
            {"class":"TPV","device":"gps","mode":3,"time":"2026-03-23T12:35:19.000Z","lat":48.2,"lon":16.36,\#
            "integrity":{"state":"alarm","since":"2026-03-23T12:35:19.000Z","reasons":[{"test":"positionStep",\#
            "text":"moved 412 m in 1 s at a \"reported\" 3 m/s","value":412.000,"threshold":20.000,"unit":"m",\#
            "since":"2026-03-23T12:35:19.000Z"}]},"vote":{"state":"agreed","winner":"/dev/ttyUSB0",\#
            "witnesses":["a","b"],"disagreeing":["c"],"radius":2.500}}

            """#
        let fix = try #require(Reading(line).fixes.first)
        #expect(fix.integrity == (try self.fix()).integrity)
        #expect(
            fix.vote
                == Vote(
                    state: .agreed, winner: "/dev/ttyUSB0", witnesses: ["a", "b"],
                    disagreeing: ["c"], radius: 2.5))
    }

    @Test func `the vote of several receivers is written and read back`() throws {
        var fix = try fix()
        fix.vote = Vote(
            state: .agreed, winner: "/dev/ttyUSB0", witnesses: ["a", "b"], disagreeing: ["c"],
            radius: 2.5)
        let line = text(fix)
        #expect(
            line.contains(
                #""vote":"agreed","voteWinner":"/dev/ttyUSB0","voteWitnesses":"a, b","#
                    + #""voteDisagreeing":"c","voteRadius":2.500"#), "\(line)")
        #expect(Reading(line).fixes.first?.vote == fix.vote)
        fix.vote = Vote(state: .noPosition)
        #expect(Reading(text(fix)).fixes.first?.vote == fix.vote)
        fix.vote = nil
        #expect(!text(fix).contains("vote"))
    }

    @Test func `a fix that was not examined has no integrity`() throws {
        var fix = try fix()
        fix.integrity = nil
        #expect(!text(fix).contains("integrity"))
    }

    @Test func `CSV and GeoJSON have the state, which is read back`() throws {
        let fix = try fix()
        var csv = CSVFormat()
        csv.begin(OutputSource())
        csv.write(fix)
        let table = Self.text(&csv)
        #expect(table.contains(",integrity,") && table.contains(",alarm,"), "\(table)")
        #expect(Reading(table).fixes.first?.integrity?.state == .alarm)
        var json = GeoJSONFormat()
        json.begin(OutputSource())
        json.write(fix)
        #expect(Self.text(&json).contains(#""integrity":"alarm""#))
    }

    private static func text(_ format: inout some OutputFormat) -> String {
        var text = ""
        format.drain { span in
            text += String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
        }
        return text
    }
}
