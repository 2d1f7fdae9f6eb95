// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct DPTTests {
    @Test func `reads depth, offset and range`() throws {
        let dpt = try DPT("$SDDPT,7.9,-1.2,50.0*40")
        #expect((dpt.depth, dpt.offset, dpt.maximumRange) == (7.9, -1.2, 50))
    }

    @Test func `the offset's sign distinguishes keel and waterline`() throws {
        let keel = try DPT(line("SDDPT,8.0,-1.5"))
        #expect((keel.depthBelowKeel, keel.depthBelowSurface) == (6.5, nil))
        let surface = try DPT(line("SDDPT,8.0,0.5"))
        #expect((surface.depthBelowKeel, surface.depthBelowSurface) == (nil, 8.5))
    }

    @Test func `a minus sign that is repeated after the point is read`() throws {
        #expect(try DPT(line("SDDPT,24.6,-1.-4,")).offset == -1.4)
        for offset in ["1.-4", "-1.-", "-1.--4", "--1.4", "-1-4"] {
            let dpt = try DPT(line("SDDPT,24.6,\(offset),"))
            #expect(dpt.depth == 24.6)
            #expect(dpt.offset == nil, "\(offset)")
        }
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try DPT(line("SDDPT")) }
    }
}

@Suite(.timeLimit(.generous)) struct DBKTests {
    @Test func `reads all three units`() throws {
        let dbk = try DBK("$SDDBK,12.5,f,3.8,M,2.1,F*27")
        #expect((dbk.depthFeet, dbk.depthMetres, dbk.depthFathoms) == (12.5, 3.8, 2.1))
    }

    @Test func `any unit gives the depth`() throws {
        #expect(try DBK(line("SDDBK,,f,7.5,M,,F")).depth == 7.5)
        #expect(try DBK(line("SDDBK,100.0,f,,M,,F")).depth == 30.48)
        #expect(try DBK(line("SDDBK,,f,,M,,F")).depth == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try DBK(line("SDDBK,12.5")) }
    }
}

@Suite(.timeLimit(.generous)) struct DBSTests {
    @Test func `reads all three units`() throws {
        let dbk = try DBS("$SDDBS,12.5,f,3.8,M,2.1,F*3F")
        #expect((dbk.depthFeet, dbk.depthMetres, dbk.depthFathoms) == (12.5, 3.8, 2.1))
    }

    @Test func `any unit gives the depth`() throws {
        #expect(try DBS(line("SDDBS,,f,7.5,M,,F")).depth == 7.5)
        #expect(try DBS(line("SDDBS,100.0,f,,M,,F")).depth == 30.48)
        #expect(try DBS(line("SDDBS,,f,,M,,F")).depth == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try DBS(line("SDDBS,12.5")) }
    }
}

@Suite(.timeLimit(.generous)) struct DBTTests {
    @Test func `reads all three units`() throws {
        let dbt = try DBT("$SDDBT,16.4,f,5.0,M,2.7,F*35")
        #expect((dbt.depthFeet, dbt.depthMetres, dbt.depthFathoms) == (16.4, 5, 2.7))
    }

    @Test func `any unit gives the depth`() throws {
        #expect(try DBT(line("SDDBT,,f,7.5,M,,F")).depth == 7.5)
        #expect(try DBT(line("SDDBT,100.0,f,,M,,F")).depth == 30.48)
        #expect(try DBT(line("SDDBT,,f,,M,10.0,F")).depth == 18.288)
        #expect(try DBT(line("SDDBT,,f,,M,,F")).depth == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try DBT(line("SDDBT,16.4")) }
    }
}

@Suite(.timeLimit(.generous)) struct MTWTests {
    @Test func `reads the temperature`() throws {
        let mtw = try MTW("$IIMTW,17.5,C*10")
        #expect(mtw.temperature == 17.5)
    }

    @Test func `a temperature in degrees Fahrenheit is missing`() throws {
        #expect(try MTW(line("IIMTW,63.5,F")).temperature == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try MTW(line("IIMTW")) }
    }
}

@Suite(.timeLimit(.generous)) struct VBWTests {
    @Test func `reads both speeds of bow and stern`() throws {
        let vbw = try VBW("$VDVBW,12.1,-0.3,A,11.8,0.6,A,-0.2,A,0.5,A*59")
        #expect((vbw.waterAhead, vbw.waterAcross) == (12.1, -0.3))
        #expect((vbw.groundAhead, vbw.groundAcross) == (11.8, 0.6))
        #expect((vbw.sternWaterAcross, vbw.sternGroundAcross) == (-0.2, 0.5))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try VBW(line("VDVBW,12.1,-0.3,A")) }
    }
}

@Suite(.timeLimit(.generous)) struct VHWTests {
    @Test func `reads headings and speeds`() throws {
        let vhw = try VHW("$VWVHW,245.1,T,241.6,M,5.3,N,9.8,K*50")
        #expect((vhw.trueHeading, vhw.magneticHeading) == (245.1, 241.6))
        #expect((vhw.speedKnots, vhw.speedKilometresPerHour) == (5.3, 9.8))
    }

    @Test func `speed through water is not speed over ground`() throws {
        let decoded = decode(Cycle("101520.00").gga() + line("VWVHW,245.1,T,,M,5.3,N,9.8,K"))
        #expect(decoded.fix.speed == nil && decoded.fix.course == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try VHW(line("VWVHW,245.1,T,241.6")) }
    }
}

@Suite(.timeLimit(.generous)) struct VLWTests {
    @Test func `reads all four distances`() throws {
        let vlw = try VLW("$VWVLW,2514.6,N,12.7,N,2533.0,N,12.9,N*41")
        #expect((vlw.totalWater, vlw.tripWater) == (2514.6, 12.7))
        #expect((vlw.totalGround, vlw.tripGround) == (2533, 12.9))
    }

    @Test func `the older form has the first two`() throws {
        let vlw = try VLW(line("VWVLW,2514.6,N,12.7,N"))
        #expect((vlw.tripWater, vlw.totalGround) == (12.7, nil))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try VLW(line("VWVLW,2514.6,N")) }
    }
}
