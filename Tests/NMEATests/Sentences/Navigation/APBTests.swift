// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct APBTests {
    @Test func `reads bearings and the heading to steer`() throws {
        let apb = try APB("$GPAPB,A,A,0.10,R,N,V,V,11.0,M,BUOY 7,12.5,M,13.0,M,A*6B")
        #expect((apb.bearing, apb.presentBearing, apb.headingToSteer) == (11, 12.5, 13))
        #expect(apb.headingReference == UInt8(ascii: "M"))
        #expect(apb.destination == "BUOY 7")
        #expect(apb.mode == .autonomous)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try APB(line("GPAPB,A,A,0.10,R,N,V,V,11.0,M"))
        }
    }
}
