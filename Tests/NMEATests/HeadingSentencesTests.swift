// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct HDGTests {
    @Test func `reads heading, deviation and variation`() throws {
        let hdg = try HDG("$HCHDG,98.3,1.5,W,4.6,E*64")
        #expect(hdg.sensorHeading == 98.3)
        #expect((hdg.deviation, hdg.variation) == (-1.5, 4.6))
    }

    @Test func `deviation and variation give the true heading`() throws {
        let hdg = try HDG(line("HCHDG,2.0,5.0,W,4.0,E"))
        #expect(hdg.magneticHeading == 357)
        #expect(hdg.trueHeading == 1)
        #expect(try HDG(line("HCHDG,98.0,,,,")).trueHeading == nil)
    }

    @Test func `a variation above 180 degrees gives no true heading`() throws {
        let hdg = try HDG(line("HCHDG,98.0,,,999.9,E"))
        #expect(hdg.magneticHeading == 98)
        #expect(hdg.trueHeading == nil)
    }

    @Test func `a heading is never a course`() throws {
        let cycle = Cycle("101520.00")
        let decoded = decode(cycle.gga() + line("HCHDG,98.3,,,4.6,E"))
        #expect(decoded.fix.course == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try HDG(line("HCHDG")) }
    }
}
