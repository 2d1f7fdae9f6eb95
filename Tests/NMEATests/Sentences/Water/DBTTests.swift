// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

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
