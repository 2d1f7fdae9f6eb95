// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct RMCTests {
    private let place = "101520.00,A,4812.50000,N,01622.42000,E"

    @Test func `reads everything a modern receiver sends`() throws {
        let rmc = try RMC(
            "$GNRMC,101520.00,A,4812.50000,N,01622.42000,E,1.234,54.31,210326,,,D,V*30")
        #expect(rmc.status == UInt8(ascii: "A"))
        #expect((rmc.speedKnots, rmc.course) == (1.234, 54.31))
        #expect(rmc.date == CalendarDate(year: 2026, month: 3, day: 21))
        #expect(rmc.magneticVariation == nil)
        #expect(rmc.mode == .differential)
        #expect(rmc.navigationStatus == UInt8(ascii: "V"))
    }

    @Test func `the eleventh and last field is the variation's direction`() throws {
        for (letter, sign) in [("E", 1.0), ("W", -1.0)] {
            let rmc = try RMC(line("GPRMC,\(place),0.4,12.0,210326,002.1,\(letter)"))
            #expect(rmc.magneticVariation == 2.1 * sign)
            #expect(rmc.mode == nil)
        }
    }

    @Test func `the sign of a variation is only its letter`() throws {
        #expect(try RMC(line("GPRMC,\(place),0.4,12.0,210326,-2.1,W,A")).magneticVariation == nil)
    }

    @Test func `a variation above 180 degrees is not known`() throws {
        for tail in ["999.9000,E,D", "999.9,E"] {
            let fix = decode(line("GPRMC,\(place),0.4,12.0,210326,\(tail)")).fix
            #expect(fix.magneticVariation == nil)
            #expect(fix.coordinate != nil)
        }
    }

    @Test(arguments: ["0.00,E,A,V", "0.0,W,D", "00,W"])
    func `a variation of 0 is not known`(tail: String) {
        let fix = decode(line("GPRMC,\(place),0.4,12.0,210326,\(tail)")).fix
        #expect(fix.magneticVariation == nil)
        #expect(fix.coordinate != nil)
    }

    @Test func `a variation without direction is followed by the mode`() throws {
        let rmc = try RMC(line("GPRMC,\(place),0.4,12.0,210326,002.1,D"))
        #expect(rmc.magneticVariation == nil)
        #expect(rmc.mode == .differential)
        #expect(try RMC(line("GPRMC,\(place),0.4,12.0,210326,,N")).mode == .invalid)
    }

    @Test func `an empty course stays unknown`() {
        let decoded = decode(line("GPRMC,\(place),0.0,,210326,,,A"))
        #expect(decoded.fix.speed == 0)
        #expect(decoded.fix.course == nil)
    }

    @Test func `an unknown mode letter leaves the decision to the status`() {
        #expect(decode(line("GPRMC,\(place),0.0,,210326,,,C")).fix.mode == .twoD)
    }

    @Test func `the status D is a fix with corrections`() {
        let tail = "0.0,,210326,,"
        let unicore = place.replacing("A,", with: "D,")
        let float = decode(line("GNRMC,\(unicore),\(tail),F,V")).fix
        #expect(float.coordinate?.latitude == 48 + 12.5 / 60)
        #expect(float.quality == .rtkFloat)
        #expect(decode(line("GNRMC,\(unicore),\(tail)")).fix.quality == .differential)
        #expect(decode(line("GNRMC,\(unicore),\(tail),N,V")).fix.mode == .noFix)
    }

    @Test func `without a date field it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try RMC(line("GPRMC,\(place),0.4,12.0"))
        }
    }
}

@Suite(.timeLimit(.generous)) struct DTMTests {
    @Test func `reads the datum and its offsets`() throws {
        let dtm = try DTM("$GPDTM,999,CH95,0.08,N,0.07,E,-47.7,W84*1C")
        #expect((dtm.localDatum, dtm.subcode) == ("999", "CH95"))
        #expect(
            (dtm.latitudeOffset, dtm.longitudeOffset, dtm.altitudeOffset) == (0.08, 0.07, -47.7))
        #expect(dtm.referenceDatum == "W84")
    }

    @Test(arguments: [
        ("GPDTM,W84,,0.0,N,0.0,E,0.0,W84", nil), ("GPDTM,999,,0.0,N,0.0,E,0.0,W84", nil),
        ("GPDTM,999,CH95,0.08,N,0.07,E,-47.7,W84", "999 CH95"), ("GPDTM,TOY,,,,,,,W84", "TOY"),
        ("PGRMM,WGS 84", nil), ("PGRMM,Tokyo", "Tokyo"),
    ])
    func `the decoder states a datum other than WGS 84`(_ body: String, _ expected: String?) {
        var decoder = NMEADecoder()
        decoder.push(Array(line(body).utf8).span) { _ in }
        #expect(decoder.otherDatum == expected)
    }

    @Test(arguments: [
        ("GPDTM,W84,,0.0,N,0.0,E,0.0,W84", "WGS84"), ("GPDTM,P90,,0.0,N,0.0,E,0.0,W84", "PE90"),
        ("GPDTM,999,CH95,0.08,N,0.07,E,-47.7,W84", "User Defined"), ("PGRMM,Tokyo", "Tokyo"),
        ("GPVTG,,T,,M,,N,,K,N", nil),
    ])
    func `fixes have the datum that gpsd names`(_ body: String, _ expected: String?) {
        let gga = line("GPGGA,101520.00,4812.50000,N,01622.42000,E,1,12,0.70,171.4,M,43.1,M,,")
        let fixes = Transcript([ArraySlice(line(body).bytes + gga.bytes)]).fixes
        #expect(fixes.map(\.details.datum) == [expected])
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try DTM(line("GPDTM,W84,,0.0,N")) }
    }
}

@Suite(.timeLimit(.generous)) struct GGATests {
    private let specimen =
        "$GNGGA,101520.00,4812.50000,N,01622.42000,E,2,12,0.70,171.4,M,43.1,M,,0000*4C"

    @Test func `reads position, quality, height and corrections`() throws {
        let gga = try GGA(specimen)
        #expect(gga.time == TimeOfDay(hour: 10, minute: 15, second: 20))
        #expect(gga.coordinate?.latitude == 48 + 12.5 / 60)
        #expect(gga.coordinate?.longitude == 16 + 22.42 / 60)
        #expect(gga.quality == .differential)
        #expect(gga.satellites == 12)
        #expect(gga.hdop == 0.7)
        #expect(gga.altitude == 171.4)
        #expect(gga.geoidSeparation == 43.1)
        #expect(gga.correctionAge == nil)
        #expect(gga.station == 0)
    }

    @Test func `south and west are negative`() throws {
        let gga = try GGA(line("GPGGA,101520.00,4812.5,S,01622.42,W,1,05,1.0,1.0,M,,M,,"))
        #expect(
            gga.coordinate
                == Coordinate(latitude: -48.208333333333336, longitude: -16.373666666666665))
    }

    @Test func `a quality above 9 is not evidence of a fix`() throws {
        let text = line("GPGGA,101520.00,4812.5,N,01622.42,E,10,05,1.0,1.0,M,,M,,")
        #expect(try GGA(text).quality == nil)
        #expect(decode(text).fix.mode == .noFix)
    }

    @Test func `quality 9 of NovAtel's receivers is a fix with corrections`() {
        let fix = decode(line("GPGGA,101520.00,4812.5,N,01622.42,E,9,05,1.0,1.0,M,,M,,")).fix
        #expect(fix.mode == .threeD)
        #expect(fix.quality == .differential)
        #expect(fix.altitude == 1)
    }

    @Test(
        arguments: [
            ("1", "0.0,0000", nil, nil), ("1", "0.0,", nil, nil), ("1", ",0000", nil, nil),
            ("2", "0000,0000", nil, nil), ("2", ",0000", nil, nil), ("4", ",0000", nil, nil),
            ("2", "7.6,0133", 7.6, 133), ("2", "7.6,0000", 7.6, 0), ("2", ",0133", nil, 133),
            ("4", "0.0,0000", 0, 0), ("5", "0.0,", 0, nil),
        ] as [(String, String, Double?, Int?)])
    func `zeros in place of empty fields are not corrections`(
        quality: String, fields: String, age: Double?, station: Int?
    ) {
        let fix = decode(
            line("GPGGA,101520.00,4812.5,N,01622.42,E,\(quality),05,1.0,1.0,M,,M,\(fields)")
        ).fix
        #expect(fix.correctionAge == age)
        #expect(fix.correctionStation == station)
    }

    @Test func `a negative age of the corrections is absent, and the rest is used`() throws {
        let gga = try GGA(line("GPGGA,101520.00,4812.5,N,01622.42,E,4,05,1.0,1.0,M,,M,-0.6,0133"))
        #expect(gga.correctionAge == nil && gga.station == 133 && gga.quality == .rtkFixed)
    }

    @Test func `quality 0 is not a fix for any other fields`() {
        let decoded = decode(line("GPGGA,101520.00,4812.5,N,01622.42,E,0,05,1.0,1.0,M,,M,,"))
        #expect(decoded.fix.mode == .noFix)
        #expect(decoded.fix.coordinate == nil)
    }

    @Test func `without a quality it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try GGA(line("GPGGA,101520.00,4812.5,N,01622.42,E"))
        }
    }
}

@Suite(.timeLimit(.generous)) struct GLLTests {
    @Test func `reads position, time, status and mode`() throws {
        let gll = try GLL("$GNGLL,4812.50000,N,01622.42000,E,101520.00,A,D*7E")
        #expect(gll.coordinate?.latitude == 48 + 12.5 / 60)
        #expect(gll.time == TimeOfDay(hour: 10, minute: 15, second: 20))
        #expect(gll.status == UInt8(ascii: "A"))
        #expect(gll.mode == .differential)
    }

    @Test(arguments: ["V,A", "A,N", "V,N"])
    func `a void GLL is not a fix`(tail: String) {
        let decoded = decode(line("GPGLL,4812.5,N,01622.42,E,101520.00,\(tail)"))
        #expect(decoded.fix.mode == .noFix)
        #expect(decoded.fix.coordinate == nil)
    }

    @Test func `without a time it does not replace a position that has one`() {
        let gll = line("GPGLL,4812.48,N,01622.43,E,,A")
        let cycles = Cycle.run(4)
        let fixes = decode(cycles.map { $0.rmc() + gll + $0.vtg() }.joined()).fixes
        #expect(fixes.count == 4)
        #expect(fixes.allSatisfy { $0.coordinate?.latitude == 48 + 12.5 / 60 })
        #expect(decode(gll + cycles[0].gga()).fix.coordinate?.latitude == 48 + 12.5 / 60)
        // It is the only position.
        #expect(decode(cycles[0].zda() + gll).fix.coordinate?.latitude == 48 + 12.48 / 60)
        #expect(decode(gll).fix.coordinate?.latitude == 48 + 12.48 / 60)
    }

    @Test func `without a position it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try GLL(line("GPGLL,4812.5,N")) }
    }
}

@Suite(.timeLimit(.generous)) struct GNSTests {
    private let specimen =
        "$GNGNS,101520.00,4812.50000,N,01622.42000,E,DAAN,12,0.70,171.4,43.1,,0000,V*15"

    @Test func `reads a mode per constellation and the navigation status`() throws {
        let gns = try GNS(specimen)
        #expect(gns.modes[.gps] == .differential)
        #expect(gns.modes[.beiDou] == .invalid)
        #expect(gns.modes[.navIC] == nil)
        #expect(gns.altitude == 171.4)
        #expect(gns.navigationStatus == UInt8(ascii: "V"))
    }

    @Test func `the best letter is the fix's quality`() {
        #expect(decode(specimen).fix.quality == .differential)
        let other = line("GNGNS,101520.00,4812.5,N,01622.42,E,NNRA,12,0.7,171.4,43.1,,")
        #expect(decode(other).fix.quality == .rtkFixed)
    }

    @Test func `a non-standard letter is a fix of unknown quality`() {
        let decoded = decode(line("GNGNS,101520.00,4812.5,N,01622.42,E,CN,12,0.7,171.4,43.1,,"))
        #expect(decoded.fix.mode == .threeD)
        #expect(decoded.fix.quality == .autonomous)
    }

    @Test func `zeros in place of empty fields are not corrections`() {
        #expect(decode(specimen).fix.correctionStation == nil)
        for (modes, age) in [("AA", nil), ("DA", nil), ("RA", 0)] as [(String, Double?)] {
            let text = "GNGNS,101520.00,4812.5,N,01622.42,E,\(modes),12,0.7,171.4,43.1,0.0,0000"
            #expect(decode(line(text)).fix.correctionAge == age, "\(modes)")
        }
    }

    @Test func `a negative age of the corrections is absent, and the rest is used`() throws {
        let gns = try GNS(line("GNGNS,101520.00,4812.5,N,01622.42,E,RR,12,0.7,1.0,2.0,-0.6,0133"))
        #expect(gns.correctionAge == nil && gns.station == 133 && gns.altitude == 1)
    }

    @Test func `sentences without modes add the corrections of their constellations`() {
        let combined = line(
            "GNGNS,101520.00,4812.5,N,01622.42,E,RR,13,0.9,171.4,43.1,,")
        let parts =
            line("GPGNS,101520.00,,,,,,8,,,,1.0,23") + line("GLGNS,101520.00,,,,,,5,,,,1.0,23")
        let fix = decode(combined + parts).fix
        #expect(fix.correctionAge == 1)
        #expect(fix.correctionStation == 23)
        #expect(fix.quality == .rtkFixed)
        #expect(fix.satellitesUsed == 13)
    }

    @Test func `navigation status V does not make a fix invalid`() {
        #expect(decode(specimen).fix.mode == .threeD)
    }

    @Test func `without modes it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try GNS(line("GNGNS,101520.00,4812.5,N,01622.42,E"))
        }
    }
}

@Suite(.timeLimit(.generous)) struct VTGTests {
    private let fix = line("GPGGA,101520.00,4812.5,N,01622.42,E,1,05,1.0,1.0,M,,M,,")

    @Test func `reads both courses and both speeds`() throws {
        let vtg = try VTG(line("GPVTG,230.5,T,229.1,M,5.0,N,9.3,K,A"))
        #expect((vtg.course, vtg.magneticCourse) == (230.5, 229.1))
        #expect((vtg.speedKnots, vtg.speedKilometresPerHour) == (5, 9.3))
        #expect(vtg.mode == .autonomous)
    }

    @Test(arguments: ["230.5,229.1,5.0,9.3", "230.5,,5.0,9.3"])
    func `the old form has four bare numbers`(fields: String) throws {
        let vtg = try VTG(line("GPVTG,\(fields)"))
        #expect(vtg.course == 230.5)
        #expect((vtg.speedKnots, vtg.speedKilometresPerHour) == (5, 9.3))
    }

    @Test func `kilometres per hour are used if knots are missing`() {
        #expect(decode(fix + line("GPVTG,,T,,M,,N,36.0,K,A")).fix.speed == 10)
    }

    @Test func `with mode N it contributes nothing`() {
        let decoded = decode(fix + line("GPVTG,230.5,T,,M,5.0,N,9.3,K,N"))
        #expect(decoded.fix.speed == nil)
        #expect(decoded.fix.mode == .threeD)
    }

    @Test func `at the beginning of a cycle it does not set the speed of the fix before`() {
        let cycles = zip(1..., Cycle.run(5)).map { speed, cycle in
            line("GPVTG,90.0,T,,M,\(speed).0,N,,K,A") + cycle.rmc(speed: "\(speed).0")
                + cycle.gga() + cycle.gsa()
        }
        let fixes = decode(cycles.joined()).fixes
        let speeds: [Double?] = (1...5).map { Double($0) * 1852 / 3600 }
        #expect(fixes.map(\.speed) == speeds)
        #expect(fixes.allSatisfy { $0.dilution.pdop == 1.9 })
    }

    @Test func `another device's VTG does not replace the speed of a satellite receiver`() {
        let autopilot = line("APVTG,,T,,M,0.0,N,,K,D")
        let rmc = line("GPRMC,101520.00,A,4812.5,N,01622.42,E,36.0,90.0,210326,,,A")
        #expect(decode(rmc + autopilot + fix).fix.speed == Double(36) * 1852 / 3600)
        #expect(decode(autopilot + rmc + fix).fix.speed == Double(36) * 1852 / 3600)
        #expect(decode(fix + autopilot).fix.speed == 0)
    }

    @Test func `another device's VTG does not come before that of the receiver`() {
        let cycles = Cycle.run(5).map { cycle in
            cycle.gga() + line("IIVTG,80.0,T,,M,9.0,N,,K,A") + cycle.vtg()
        }
        // In the first cycle, it is not known that the receiver sends VTG.
        #expect(decode(cycles.joined()).fixes.map(\.course) == [80, 90, 90, 90, 90])
    }

    @Test func `with three fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try VTG(line("GPVTG,1.0,T,")) }
    }
}

@Suite(.timeLimit(.generous)) struct ZDATests {
    @Test func `reads time, date and zone`() throws {
        let zda = try ZDA(line("GPZDA,101520.25,21,03,2026,-05,30"))
        #expect(zda.time?.nanosecond == 250_000_000)
        #expect(zda.date == CalendarDate(year: 2026, month: 3, day: 21))
        #expect((zda.zoneHours, zda.zoneMinutes) == (-5, 30))
    }

    @Test func `gives GGA its date`() {
        let decoded = decode(
            line("GPZDA,101520.00,21,03,2026,00,00")
                + line("GPGGA,101520.00,4812.5,N,01622.42,E,1,05,1.0,1.0,M,,M,,"))
        #expect(decoded.fix.time?.description == "2026-03-21T10:15:20.000Z")
    }

    @Test(arguments: ["31,02,2026", "00,01,2026", "21,13,2026", "21,03,026", ",,"])
    func `a day that does not exist is not a date`(date: String) throws {
        let zda = try ZDA(line("GPZDA,101520.00,\(date),00,00"))
        #expect(zda.date == nil)
        #expect(zda.time != nil)
    }

    @Test func `without a year field it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try ZDA(line("GPZDA,101520.00,21,03"))
        }
    }
}
