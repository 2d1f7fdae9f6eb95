// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct PGRMVTests {
    @Test func `reads the velocity`() throws {
        let pgrmv = try PGRMV("$PGRMV,3.1,-4.0,0.2*75")
        #expect((pgrmv.eastVelocity, pgrmv.northVelocity, pgrmv.upVelocity) == (3.1, -4, 0.2))
    }

    @Test func `sets the climb of the fix`() throws {
        let fix = decode(
            Cycle("101520.00").rmc() + Cycle("101520.00").gga() + line("PGRMV,,,-1.25")
        )
        .fix
        #expect(fix.climb == -1.25)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try PGRMV(line("PGRMV,3.1,-4.0")) }
    }
}
