// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct BWCTests {
    @Test func `reads bearing and distance`() throws {
        let bwc = try BWC(
            "$GPBWC,081837.00,4917.24000,N,12309.57000,W,51.9,T,31.6,M,1.3,N,BUOY 7,A*4C")
        #expect((bwc.trueBearing, bwc.magneticBearing) == (51.9, 31.6))
        #expect((bwc.distanceNauticalMiles, bwc.waypoint) == (1.3, "BUOY 7"))
        #expect(bwc.time == TimeOfDay(hour: 8, minute: 18, second: 37))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try BWC(line("GPBWC,081837.00,4917.24,N,12309.57,W,51.9,T"))
        }
    }
}
