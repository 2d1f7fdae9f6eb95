// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct THSTests {
    @Test func `reads heading and mode`() throws {
        let ths = try THS("$GNTHS,217.45,A*1C")
        #expect(ths.heading == 217.45)
        #expect(ths.mode == UInt8(ascii: "A"))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try THS(line("GNTHS,217.45")) }
    }
}
