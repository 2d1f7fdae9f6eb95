// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct XTETests {
    @Test func `reads the error and the side to steer to`() throws {
        let xte = try XTE("$GPXTE,A,A,0.67,L,N,D*07")
        #expect(xte.crossTrackErrorNauticalMiles == 0.67)
        #expect(xte.steer == UInt8(ascii: "L"))
        #expect(xte.mode == .differential)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try XTE(line("GPXTE,A,A,0.67,L")) }
    }
}
