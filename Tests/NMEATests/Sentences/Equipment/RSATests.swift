// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct RSATests {
    @Test func `reads both rudders`() throws {
        let rsa = try RSA("$IIRSA,10.5,A,-0.4,V*4A")
        #expect((rsa.starboard, rsa.port) == (10.5, -0.4))
        #expect(rsa.portStatus == UInt8(ascii: "V"))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try RSA(line("IIRSA,10.5")) }
    }
}
