// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct VHWTests {
    @Test func `reads headings and speeds`() throws {
        let vhw = try VHW("$VWVHW,245.1,T,241.6,M,5.3,N,9.8,K*50")
        #expect((vhw.trueHeading, vhw.magneticHeading) == (245.1, 241.6))
        #expect((vhw.speedKnots, vhw.speedKilometresPerHour) == (5.3, 9.8))
    }

    @Test func `speed through water is not speed over ground`() throws {
        let decoded = decode(Cycle("101520.00").gga() + line("VWVHW,245.1,T,,M,5.3,N,9.8,K"))
        #expect(decoded.fix.speed == nil && decoded.fix.course == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try VHW(line("VWVHW,245.1,T,241.6")) }
    }
}
