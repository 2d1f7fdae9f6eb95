// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct HDTTests {
    @Test func `reads the heading`() throws {
        let hdt = try HDT("$HEHDT,123.4,T*2B")
        #expect(hdt.heading == 123.4)
    }

    @Test func `a magnetic heading is not a true heading`() throws {
        #expect(try HDT(line("HEHDT,123.4,M")).heading == nil)
    }

    @Test func `a heading is never a course`() throws {
        let cycle = Cycle("101520.00")
        let decoded = decode(cycle.gga() + line("HEHDT,123.4,T"))
        #expect(decoded.fix.course == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try HDT(line("HEHDT")) }
    }
}
