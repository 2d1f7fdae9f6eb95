// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct AAMTests {
    @Test func `reads circle, perpendicular and waypoint`() throws {
        let aam = try AAM("$GPAAM,A,V,0.10,N,BUOY 7*26")
        #expect(aam.arrivalCircle == UInt8(ascii: "A"))
        #expect(aam.perpendicular == UInt8(ascii: "V"))
        #expect((aam.radiusNauticalMiles, aam.waypoint) == (0.1, "BUOY 7"))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try AAM(line("GPAAM,A,V,0.10,N")) }
    }
}
