// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct RMBTests {
    @Test func `reads the way to a waypoint`() throws {
        let rmb = try RMB(
            "$GPRMB,A,0.66,L,HARBOUR,BUOY 7,4917.24000,N,12309.57000,W,1.3,52.5,5.0,V,D*38")
        #expect((rmb.origin, rmb.destination) == ("HARBOUR", "BUOY 7"))
        #expect(rmb.coordinate?.longitude == -(123 + 9.57 / 60))
        #expect((rmb.rangeNauticalMiles, rmb.bearing, rmb.closingSpeedKnots) == (1.3, 52.5, 5))
        #expect(rmb.mode == .differential)
    }

    @Test func `the destination is not the position of the fix`() throws {
        let rmb = line("GPRMB,A,0.66,L,A,B,4917.24,N,12309.57,W,1.3,52.5,5.0,V,D")
        #expect(decode(Cycle("101520.00").gga() + rmb).fix.coordinate?.latitude == 48 + 12.5 / 60)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try RMB(line("GPRMB,A,0.66,L,HARBOUR,BUOY 7"))
        }
    }
}
