// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct TTMTests {
    @Test func `reads the position and motion of a target`() throws {
        let ttm = try TTM("$RATTM,11,11.4,13.6,T,7.0,20.0,T,0.5,-2.3,N,FERRY,T,,101520.00,M*4A")
        #expect((ttm.number, ttm.distance, ttm.bearing) == (11, 11.4, 13.6))
        #expect((ttm.speed, ttm.course) == (7, 20))
        #expect((ttm.closestDistance, ttm.closestTime) == (0.5, -2.3))
        #expect(ttm.name == "FERRY")
        #expect(ttm.status == UInt8(ascii: "T"))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try TTM(line("RATTM,11,11.4,13.6,T")) }
    }
}
