// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct HDMTests {
    @Test func `reads the heading`() throws {
        let hdm = try HDM("$HCHDM,238.5,M*25")
        #expect(hdm.heading == 238.5)
    }

    @Test func `a true heading is not a magnetic heading`() throws {
        #expect(try HDM(line("HCHDM,238.5,T")).heading == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try HDM(line("HCHDM")) }
    }
}
