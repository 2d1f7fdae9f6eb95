// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct VWRTests {
    @Test func `reads the side, and the speed in three units`() throws {
        let vwr = try VWR("$WIVWR,30.8,L,4.3,N,2.2,M,8.0,K*7D")
        #expect((vwr.signedAngle, vwr.speedKnots) == (-30.8, 4.3))
        #expect((vwr.speedMetresPerSecond, vwr.speedKilometresPerHour) == (2.2, 8))
    }

    @Test(arguments: [
        ("30.0,R", 30.0), ("30.0,L", 330), ("0.0,L", 0), ("0.0,R", 0), ("180.0,L", 180),
        ("30.0,X", nil), ("30.0,", nil), ("190.0,R", nil), (",L", nil),
    ])
    func `the angle is clockwise from the bow`(_ fields: String, _ angle: Double?) throws {
        #expect(try VWR(line("WIVWR,\(fields),4.3,N,2.2,M,8.0,K")).angle == angle)
    }

    @Test func `any unit gives the speed`() throws {
        #expect(try VWR(line("IIVWR,024,L,018,N,,,,")).speed == 18 * 1852.0 / 3600)
        #expect(try VWR(line("IIVWR,024,L,,N,1.7,M,,")).speed == 1.7)
        #expect(try VWR(line("IIVWR,024,L,,N,,M,36.0,K")).speed == 10)
        #expect(try VWR(line("IIVWR,,,,,,,,")).speed == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try VWR(line("WIVWR,30.8,L")) }
    }
}
