// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct RPMTests {
    @Test func `reads an engine's revolutions`() throws {
        let rpm = try RPM("$IIRPM,E,1,2418.2,10.5,A*5F")
        #expect(rpm.origin == UInt8(ascii: "E"))
        #expect((rpm.number, rpm.rate, rpm.pitch) == (1, 2418.2, 10.5))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try RPM(line("IIRPM,E,1")) }
    }
}
