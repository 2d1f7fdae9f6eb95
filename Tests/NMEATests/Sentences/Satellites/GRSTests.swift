// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

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
