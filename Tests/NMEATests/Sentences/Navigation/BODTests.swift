// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct BODTests {
    @Test func `reads both bearings and both waypoints`() throws {
        let bod = try BOD("$GPBOD,99.3,T,105.6,M,BUOY 7,HARBOUR*31")
        #expect((bod.trueBearing, bod.magneticBearing) == (99.3, 105.6))
        #expect((bod.destination, bod.origin) == ("BUOY 7", "HARBOUR"))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try BOD(line("GPBOD,99.3,T,105.6,M")) }
    }
}
