// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct MWDTests {
    @Test func `reads directions and speeds`() throws {
        let mwd = try MWD("$WIMWD,302.5,T,299.0,M,14.2,N,7.3,M*6F")
        #expect((mwd.trueDirection, mwd.magneticDirection) == (302.5, 299))
        #expect((mwd.speedKnots, mwd.speedMetresPerSecond) == (14.2, 7.3))
    }

    @Test func `the unit of a single speed is its letter`() throws {
        for (tail, knots, metres) in [
            ("4.5,M", nil, 4.5), ("8.8,N", 8.8, nil), ("8.8,", 8.8, nil), ("8.8,K", nil, nil),
        ] as [(String, Double?, Double?)] {
            let mwd = try MWD(line("IIMWD,322.8,T,333.9,M,\(tail)"))
            #expect((mwd.trueDirection, mwd.magneticDirection) == (322.8, 333.9))
            #expect((mwd.speedKnots, mwd.speedMetresPerSecond) == (knots, metres))
        }
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try MWD(line("WIMWD,302.5,T")) }
    }
}
