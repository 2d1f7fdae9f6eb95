// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct PGRMMTests {
    @Test func `reads the name`() throws {
        let pgrmm = try PGRMM("$PGRMM,WGS 84*06")
        #expect(pgrmm.datum == "WGS 84")
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try PGRMM(line("PGRMM")) }
    }
}
