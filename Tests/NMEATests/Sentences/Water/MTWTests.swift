// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct MTWTests {
    @Test func `reads the temperature`() throws {
        let mtw = try MTW("$IIMTW,17.5,C*10")
        #expect(mtw.temperature == 17.5)
    }

    @Test func `a temperature in degrees Fahrenheit is missing`() throws {
        #expect(try MTW(line("IIMTW,63.5,F")).temperature == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try MTW(line("IIMTW")) }
    }
}
