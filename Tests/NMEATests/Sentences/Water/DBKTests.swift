// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

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
