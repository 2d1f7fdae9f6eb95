// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct PASHRTests {
    @Test func `reads heading, roll and pitch`() throws {
        let pashr = try PASHR("$PASHR,101520.00,305.30,T,-0.05,1.13,0.02,0.066,0.067,0.215,2,1*0F")
        #expect((pashr.heading, pashr.roll, pashr.pitch) == (305.3, -0.05, 1.13))
        #expect((pashr.rollError, pashr.pitchError, pashr.headingError) == (0.066, 0.067, 0.215))
        #expect((pashr.quality, pashr.inertialStatus) == (2, 1))
    }

    @Test func `negative errors are malformed`() throws {
        let pashr = try PASHR(
            line("PASHR,101520.00,305.30,T,-0.05,1.13,0.02,-0.066,-0.067,-0.215,2,1"))
        #expect((pashr.heading, pashr.roll) == (305.3, -0.05))
        #expect((pashr.rollError, pashr.pitchError, pashr.headingError) == (nil, nil, nil))
    }

    @Test func `other sentences of that address are passed on raw`() throws {
        let decoded = decode(line("PASHR,POS,0,8,101520.00,4812.5,N,01622.42,E"))
        #expect(decoded.statistics.proprietaryRaw == 1)
        #expect(decoded.statistics.rejected == 0)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try PASHR(line("PASHR")) }
    }
}
