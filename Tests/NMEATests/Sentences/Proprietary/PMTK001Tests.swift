// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

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
