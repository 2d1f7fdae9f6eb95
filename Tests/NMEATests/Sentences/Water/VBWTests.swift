// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct VBWTests {
    @Test func `reads both speeds of bow and stern`() throws {
        let vbw = try VBW("$VDVBW,12.1,-0.3,A,11.8,0.6,A,-0.2,A,0.5,A*59")
        #expect((vbw.waterAhead, vbw.waterAcross) == (12.1, -0.3))
        #expect((vbw.groundAhead, vbw.groundAcross) == (11.8, 0.6))
        #expect((vbw.sternWaterAcross, vbw.sternGroundAcross) == (-0.2, 0.5))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try VBW(line("VDVBW,12.1,-0.3,A")) }
    }
}
