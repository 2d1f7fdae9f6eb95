// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct WPLTests {
    @Test func `reads position and name`() throws {
        let wpl = try WPL("$GPWPL,4917.16000,N,12310.64000,W,HARBOUR*07")
        #expect(wpl.coordinate?.latitude == 49 + 17.16 / 60)
        #expect(wpl.name == "HARBOUR")
    }

    @Test func `the waypoint is not the position of the fix`() throws {
        #expect(decode(line("GPWPL,4917.16,N,12310.64,W,HARBOUR")).fixes.isEmpty)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try WPL(line("GPWPL,4917.16,N,12310.64,W"))
        }
    }
}
