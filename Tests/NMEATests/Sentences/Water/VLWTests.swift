// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

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
