// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct RTETests {
    @Test func `reads the waypoints in order`() throws {
        let rte = try RTE("$GPRTE,2,1,c,0,HARBOUR,BUOY 7,BUOY 9,MOLE*50")
        #expect((rte.total, rte.part) == (2, 1))
        #expect(rte.kind == UInt8(ascii: "c"))
        #expect(rte.route == "0")
        #expect(rte.waypoints == ["HARBOUR", "BUOY 7", "BUOY 9", "MOLE"])
    }

    @Test func `a receiver without a route sends no waypoints`() throws {
        #expect(try RTE(line("GPRTE,1,1,c,0")).waypoints.isEmpty)
        #expect(try RTE(line("GPRTE,1,1,c,")).route == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try RTE(line("GPRTE,2,1")) }
    }
}
