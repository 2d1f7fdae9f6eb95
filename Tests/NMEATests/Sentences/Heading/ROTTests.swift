// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct ROTTests {
    @Test func `reads a turn to port`() throws {
        let rot = try ROT("$TIROT,-35.6,A*26")
        #expect(rot.rate == -35.6)
        #expect(rot.status == UInt8(ascii: "A"))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try ROT(line("TIROT")) }
    }
}
