// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct GSATests {
    @Test func `reads dimensions, satellites, DOPs and system`() throws {
        let gsa = try GSA("$GNGSA,A,3,05,07,13,14,20,28,30,,,,,,1.31,0.70,1.11,1*0A")
        #expect(gsa.selection == UInt8(ascii: "A"))
        #expect(gsa.fix == .threeD)
        #expect(gsa.satellites == SatelliteNumbers([5, 7, 13, 14, 20, 28, 30]))
        #expect((gsa.pdop, gsa.hdop, gsa.vdop) == (1.31, 0.7, 1.11))
        #expect(gsa.systemID == 1)
    }

    @Test func `with twenty-four slots the DOPs are the last three`() throws {
        let slots = "1,2,3,4,5,6,7,8,9,10,11,12,65,66,,,,,,,,,,"
        let gsa = try GSA(line("GPGSA,A,3,\(slots),2.1,1.2,1.7"))
        #expect(gsa.satellites.count == 14)
        #expect((gsa.pdop, gsa.hdop, gsa.vdop) == (2.1, 1.2, 1.7))
    }

    @Test(arguments: [("1,1", 1), ("4,", 4)] as [(String, UInt8)])
    func `a second ID after the system ID is not a DOP`(ids: String, system: UInt8) throws {
        let gsa = try GSA(line("GNGSA,A,3,05,07,13,14,,,,,,,,,1.9,1.0,1.6,\(ids)"))
        #expect(gsa.satellites == SatelliteNumbers([5, 7, 13, 14]))
        #expect((gsa.pdop, gsa.hdop, gsa.vdop) == (1.9, 1, 1.6))
        #expect(gsa.systemID == system)
    }

    @Test func `with fourteen slots, missing DOPs are not IDs`() throws {
        let gsa = try GSA(line("GPGSA,A,2,04,07,09,,,,,,,,,,,,2.4,,"))
        #expect((gsa.pdop, gsa.hdop, gsa.vdop) == (2.4, nil, nil))
        #expect(gsa.systemID == nil)
    }

    @Test func `an empty DOP does not erase a known one`() throws {
        let gsa = try GSA(line("GPGSA,A,2,04,07,09,,,,,,,,,,2.4,2.2,"))
        #expect((gsa.pdop, gsa.hdop, gsa.vdop) == (2.4, 2.2, nil))
    }

    @Test func `an E for the dimensions is not evidence of a fix`() throws {
        #expect(try GSA(line("GPGSA,A,E,,,,,,,,,,,,,,,")).fix == nil)
    }

    @Test func `without dimensions it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try GSA(line("GPGSA,A")) }
    }

    @Test(arguments: [12, 13, 14, 24])
    func `any number of satellites is read as it was written`(count: Int) throws {
        var gsa = GSA()
        for number in 1...count { gsa.satellites.append(number) }
        gsa.pdop = 1.5
        gsa.vdop = 1.25
        var writer = SentenceWriter()
        writer.write(gsa)
        #expect(try GSA(String(decoding: writer.bytes, as: UTF8.self)) == gsa)
    }

    @Test(arguments: [12, 63, 64, 65, 130])
    func `slots after any number of empty ones are read`(empty: Int) throws {
        let slots = String(repeating: ",", count: empty)
        let gsa = try GSA(line("GPGSA,A,3,\(slots)05,07,13,14,20,28,1.31,0.70,1.11"))
        #expect(gsa.satellites == SatelliteNumbers([5, 7, 13, 14, 20, 28]))
        #expect(gsa.pdop == 1.31)
        #expect(gsa.vdop == 1.11)
    }
}

@Suite(.timeLimit(.generous)) struct GBSTests {
    @Test func `reads expected errors and the suspect satellite`() throws {
        let gbs = try GBS(line("GNGBS,101520.00,1.4,1.2,2.9,03,0.05,-21.4,3.8,1,B"))
        #expect((gbs.latitudeError, gbs.longitudeError, gbs.altitudeError) == (1.4, 1.2, 2.9))
        #expect((gbs.failedSatellite, gbs.missedDetection) == (3, 0.05))
        #expect((gbs.bias, gbs.biasError) == (-21.4, 3.8))
        #expect((gbs.systemID, gbs.signalID) == (1, 11))
    }

    @Test func `with a field too few it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try GBS(line("GNGBS,101520.00,1.4,1.2"))
        }
    }
}

@Suite(.timeLimit(.generous)) struct GRSTests {
    @Test func `reads a residual for each satellite`() throws {
        let grs = try GRS("$GNGRS,101520.00,1,0.54,0.83,-1.15,1.39,-1.80,,,,,,,,1,1*44")
        #expect(grs.residuals == [0.54, 0.83, -1.15, 1.39, -1.8])
        #expect((grs.mode, grs.systemID, grs.signalID) == (1, 1, 1))
    }

    @Test func `a missing residual does not shift the others`() throws {
        #expect(try GRS(line("GNGRS,101520.00,1,,0.83,,,,,,,,,,")).residuals == [nil, 0.83])
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try GRS(line("GNGRS,101520.00")) }
    }
}

@Suite(.timeLimit(.generous)) struct GSTTests {
    private let fix = line("GPGGA,101520.00,4812.5,N,01622.42,E,1,05,1.0,1.0,M,,M,,")

    @Test func `reads the error ellipse`() throws {
        let gst = try GST("$GNGST,101520.00,12,1.9,1.3,21.0,1.8,1.4,3.1*54")
        #expect(gst.rangeResidual == 12)
        #expect((gst.semiMajor, gst.semiMinor, gst.orientation) == (1.9, 1.3, 21))
        #expect((gst.latitudeError, gst.longitudeError, gst.altitudeError) == (1.8, 1.4, 3.1))
    }

    @Test func `belongs only to the fix of the same time`() {
        let own = decode(fix + line("GPGST,101520.00,,,,,3.0,4.0,6.0")).fix
        #expect(own.standardDeviation.latitude == 3)
        let other = decode(fix + line("GPGST,101519.00,,,,,3.0,4.0,6.0")).fix
        #expect(other.standardDeviation.latitude == nil)
    }

    @Test func `negative errors are malformed, but the direction may be negative`() throws {
        let text = line("GPGST,101520.00,-12,-1.9,-1.3,-21.0,-1.8,1.4,-3.1")
        let gst = try GST(text)
        #expect((gst.rangeResidual, gst.semiMajor, gst.semiMinor) == (nil, nil, nil))
        #expect((gst.orientation, gst.longitudeError) == (-21, 1.4))
        #expect((gst.latitudeError, gst.altitudeError) == (nil, nil))
        let decoded = decode(fix + text)
        #expect(decoded.statistics.fieldErrors == 5)
        #expect(decoded.fix.accuracy.vertical == nil)
    }

    @Test func `with a field too few it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try GST(line("GPGST,101520.00,12,1.9,1.3,21.0,1.8,1.4"))
        }
    }
}

@Suite(.timeLimit(.generous)) struct GSVTests {
    private let specimen =
        "$GPGSV,3,1,10,05,62,286,44,07,41,103,40,13,55,214,43,14,12,052,31,1*6F"

    @Test func `reads four satellites and their signal`() throws {
        let gsv = try GSV(specimen)
        #expect((gsv.total, gsv.part, gsv.inView) == (3, 1, 10))
        #expect(gsv.signalID == 1)
        #expect(gsv.entries.map(\.number) == [5, 7, 13, 14])
        #expect(gsv.entries.last == GSV.Entry(number: 14, elevation: 12, azimuth: 52, cn0: 31))
    }

    @Test func `an entry may lack direction or strength`() throws {
        let gsv = try GSV(line("GPGSV,1,1,03,05,,,44,07,41,,,09,,103,"))
        #expect(
            gsv.entries == [
                GSV.Entry(number: 5, cn0: 44), GSV.Entry(number: 7, elevation: 41),
                GSV.Entry(number: 9, azimuth: 103),
            ])
    }

    @Test func `values out of range are missing, the satellite is not`() throws {
        let gsv = try GSV(line("GPGSV,1,1,02,05,91,361,100,07,-5,360,99"))
        #expect(
            gsv.entries == [
                GSV.Entry(number: 5), GSV.Entry(number: 7, elevation: -5, azimuth: 0, cn0: 99),
            ])
    }

    @Test func `Quectel's PQ names signal and system`() throws {
        let gsv = try GSV(line("PQGSV,1,1,02,02,41,181,36,07,08,320,,1,5"))
        #expect((gsv.signalID, gsv.systemID) == (1, 5))
        #expect(gsv.entries.count == 2)
    }

    @Test func `without a count it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try GSV(line("GPGSV,1,1")) }
    }

    @Test func `a sentence with too many satellites has no signal`() throws {
        let five = (1...5).map { "0\($0),10,100,30" }.joined(separator: ",")
        let text = line("GPGSV,1,1,05,\(five),3")
        #expect(try GSV(text).signalID == nil)
        let view = try #require(decode(text + Cycle.run(1)[0].rmc()).views.last)
        #expect(view.signals.map(\.signal) == [0, 0, 0, 0])
    }
}
