// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

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
