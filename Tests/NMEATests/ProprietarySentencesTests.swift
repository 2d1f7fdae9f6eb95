// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct PUBX00Tests {
    @Test func `reads a whole fix`() throws {
        let pubx00 = try PUBX00(
            "$PUBX,00,101520.00,4812.5,N,01622.42,E,214.533,G3,2.1,3.0,0.018,77.52,-0.007,,0.92,1.19,0.77,9,0,0*41"
        )
        #expect(pubx00.time == TimeOfDay(hour: 10, minute: 15, second: 20))
        #expect((pubx00.ellipsoidalAltitude, pubx00.status) == (214.533, "G3"))
        #expect((pubx00.horizontalAccuracy, pubx00.verticalAccuracy) == (2.1, 3))
        #expect((pubx00.speedKilometresPerHour, pubx00.course) == (0.018, 77.52))
        #expect((pubx00.descentRate, pubx00.satellites) == (-0.007, 9))
        #expect((pubx00.hdop, pubx00.vdop, pubx00.tdop) == (0.92, 1.19, 0.77))
    }

    @Test func `makes a fix by itself`() throws {
        let text = line(
            "PUBX,00,101520.00,4812.5,N,01622.42,E,214.5,D3,2.1,3.0,36.0,77.5,0.0,2.0,0.9,1.2,0.8,9,0,0"
        )
        let fix = decode(text).fix
        #expect(fix.mode == .threeD)
        #expect(fix.quality == .differential)
        #expect((fix.altitude, fix.ellipsoidalAltitude) == (nil, 214.5))
        #expect((fix.speed, fix.course) == (10, 77.5))
        #expect(fix.accuracy == Accuracy(horizontal: 2.1, vertical: 3, source: .receiver))
    }

    @Test func `a negative age of the corrections is absent, and the rest is used`() throws {
        let text =
            "PUBX,00,101520.00,4812.5,N,01622.42,E,214.5,D3,2.1,3.0,36.0,77.5,0.0,-0.6,0.9,1.2,0.8,9,0,0"
        let pubx00 = try PUBX00(line(text))
        #expect(pubx00.correctionAge == nil && pubx00.hdop == 0.9 && pubx00.satellites == 9)
    }

    @Test func `without a fix it reports no fix`() throws {
        for status in ["NF", "TT"] {
            let text = line("PUBX,00,101520.00,4812.5,N,01622.42,E,214.5,\(status),,,,,,,,,,0,0,0")
            #expect(decode(text).fix.mode == .noFix)
        }
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try PUBX00(line("PUBX,00,101520.00,4812.5,N"))
        }
    }
}

@Suite(.timeLimit(.generous)) struct PASHRTests {
    @Test func `reads heading, roll and pitch`() throws {
        let pashr = try PASHR("$PASHR,101520.00,305.30,T,-0.05,1.13,0.02,0.066,0.067,0.215,2,1*0F")
        #expect((pashr.heading, pashr.roll, pashr.pitch) == (305.3, -0.05, 1.13))
        #expect((pashr.rollError, pashr.pitchError, pashr.headingError) == (0.066, 0.067, 0.215))
        #expect((pashr.quality, pashr.inertialStatus) == (2, 1))
    }

    @Test func `negative errors are malformed`() throws {
        let pashr = try PASHR(
            line("PASHR,101520.00,305.30,T,-0.05,1.13,0.02,-0.066,-0.067,-0.215,2,1"))
        #expect((pashr.heading, pashr.roll) == (305.3, -0.05))
        #expect((pashr.rollError, pashr.pitchError, pashr.headingError) == (nil, nil, nil))
    }

    @Test func `other sentences of that address are passed on raw`() throws {
        let decoded = decode(line("PASHR,POS,0,8,101520.00,4812.5,N,01622.42,E"))
        #expect(decoded.statistics.proprietaryRaw == 1)
        #expect(decoded.statistics.rejected == 0)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try PASHR(line("PASHR")) }
    }
}

@Suite(.timeLimit(.generous)) struct PGRMETests {
    @Test func `reads three errors`() throws {
        let pgrme = try PGRME("$PGRME,4.2,M,6.3,M,7.6,M*2C")
        #expect(
            (pgrme.horizontalError, pgrme.verticalError, pgrme.sphericalError) == (4.2, 6.3, 7.6))
    }

    @Test func `scales errors from 50 to 68 % of all positions`() throws {
        let fix = decode(Cycle("101520.00").gga() + line("PGRME,10.0,M,10.0,M,15.0,M")).fix
        #expect(fix.accuracy == Accuracy(horizontal: 12.9, vertical: 14.8, source: .receiver))
    }

    @Test func `an error in feet is missing`() throws {
        #expect(try PGRME(line("PGRME,4.2,f,6.3,f,7.6,f")).horizontalError == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try PGRME(line("PGRME,4.2")) }
    }
}

@Suite(.timeLimit(.generous)) struct PGRMMTests {
    @Test func `reads the name`() throws {
        let pgrmm = try PGRMM("$PGRMM,WGS 84*06")
        #expect(pgrmm.datum == "WGS 84")
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try PGRMM(line("PGRMM")) }
    }
}

@Suite(.timeLimit(.generous)) struct PGRMVTests {
    @Test func `reads the velocity`() throws {
        let pgrmv = try PGRMV("$PGRMV,3.1,-4.0,0.2*75")
        #expect((pgrmv.eastVelocity, pgrmv.northVelocity, pgrmv.upVelocity) == (3.1, -4, 0.2))
    }

    @Test func `sets the climb of the fix`() throws {
        let fix = decode(
            Cycle("101520.00").rmc() + Cycle("101520.00").gga() + line("PGRMV,,,-1.25")
        )
        .fix
        #expect(fix.climb == -1.25)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try PGRMV(line("PGRMV,3.1,-4.0")) }
    }
}

@Suite(.timeLimit(.generous)) struct PGRMZTests {
    @Test func `reads altitude and dimensions`() throws {
        let pgrmz = try PGRMZ("$PGRMZ,562,f,3*1A")
        #expect(pgrmz.altitudeFeet == 562)
        #expect(pgrmz.fix == .threeD)
    }

    @Test(arguments: [2, 3])
    func `the altitude of GGA is preferred, whichever comes first`(dimensions: Int) {
        let pgrmz = line("PGRMZ,1000,f,\(dimensions)")
        let cycle = Cycle("101520.00")
        for order in [[cycle.gga(), pgrmz], [cycle.rmc(), pgrmz, cycle.gga()]] {
            let decoded = decode(order.joined())
            #expect(decoded.fix.altitude == 171.4)
            #expect(decoded.fix.ellipsoidalAltitude == 171.4 + 43.1)
        }
        #expect(decode(cycle.rmc() + pgrmz).fix.altitude == 304.8)
    }

    @Test func `the cycle ends after it if no other sentence has the altitude`() {
        var bench = Bench()
        for cycle in Cycle.run(4) {
            bench.send(cycle.rmc(), line("PGRMZ,562,f,3"), line("PGRMM,WGS 84"))
        }
        #expect(bench.moments == [4, 7, 8, 11])
        #expect(bench.fixes.allSatisfy { $0.altitude == 562 * 0.3048 })
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try PGRMZ(line("PGRMZ,562")) }
    }
}

@Suite(.timeLimit(.generous)) struct PMTK001Tests {
    @Test func `reads command and result`() throws {
        let pmtk001 = try PMTK001("$PMTK001,314,3*36")
        #expect((pmtk001.command, pmtk001.result) == (314, .done))
    }

    @Test func `a result beyond the four is unknown`() throws {
        #expect(try PMTK001(line("PMTK001,314,7")).result == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try PMTK001(line("PMTK001,314")) }
    }
}

@Suite(.timeLimit(.generous)) struct PTNLGGKTests {
    @Test func `reads the month before the day, and the height after its letters`() throws {
        let ptnlggk = try PTNLGGK(
            "$PTNL,GGK,101520.00,032126,4812.50000000,N,01622.42000000,E,3,14,1.1,EHT214.533,M*70")
        #expect(ptnlggk.date == CalendarDate(year: 2026, month: 3, day: 21))
        #expect(ptnlggk.ellipsoidalAltitude == 214.533)
        #expect((ptnlggk.quality, ptnlggk.satellites, ptnlggk.dop) == (.rtkFixed, 14, 1.1))
    }

    @Test func `makes a fix with a date by itself`() throws {
        let text = line("PTNL,GGK,101520.00,032126,4812.5,N,01622.42,E,2,14,1.1,EHT214.533,M")
        let fix = decode(text).fix
        #expect(fix.time?.description == "2026-03-21T10:15:20.000Z")
        #expect(fix.mode == .threeD)
        #expect(fix.quality == .rtkFloat)
        #expect((fix.altitude, fix.ellipsoidalAltitude) == (nil, 214.533))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try PTNLGGK(line("PTNL,GGK,101520.00,032126"))
        }
    }
}

@Suite(.timeLimit(.generous)) struct PUBX03Tests {
    @Test func `reads every satellite`() throws {
        let pubx03 = try PUBX03("$PUBX,03,3,05,U,286,62,44,64,211,e,103,41,,0,68,-,052,12,31,7*37")
        #expect(pubx03.count == 3)
        #expect(pubx03.entries.map(\.number) == [5, 211, 68])
        #expect(pubx03.entries.first?.status == UInt8(ascii: "U"))
        #expect(pubx03.entries.map(\.cn0) == [44, nil, 31])
        #expect(pubx03.entries.last?.lockTime == 7)
    }

    @Test func `names the satellites used`() throws {
        let text = line("PUBX,03,3,05,U,286,62,44,64,211,U,103,41,40,9,68,-,052,12,31,7")
        let used = decode(Cycle("101520.00").gga() + text).views.last?.used
        #expect(used?.count == 2)
        #expect(SatelliteID(.galileo, 1).map { used?.contains($0) } == true)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try PUBX03(line("PUBX,03")) }
    }
}

@Suite(.timeLimit(.generous)) struct PUBX04Tests {
    @Test func `reads time and clock`() throws {
        let pubx04 = try PUBX04("$PUBX,04,101520.00,210326,555338.00,2410,18D,495176,-12.340,21*4F")
        #expect(pubx04.date == CalendarDate(year: 2026, month: 3, day: 21))
        #expect((pubx04.timeOfWeek, pubx04.week) == (555338, 2410))
        #expect(
            (pubx04.clockBias, pubx04.clockDrift, pubx04.pulseGranularity) == (495176, -12.34, 21))
    }

    @Test func `a D marks default leap seconds of the firmware`() throws {
        let assumed = try PUBX04(line("PUBX,04,101520.00,210326,555338.00,2410,18D,0,0,21"))
        #expect((assumed.leapSeconds, assumed.isLeapSecondsAssumed) == (18, true))
        let received = try PUBX04(line("PUBX,04,101520.00,210326,555338.00,2410,18,0,0,21"))
        #expect((received.leapSeconds, received.isLeapSecondsAssumed) == (18, false))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try PUBX04(line("PUBX,04,101520.00")) }
    }
}
