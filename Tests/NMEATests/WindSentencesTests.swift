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

@Suite(.timeLimit(.generous)) struct MWVTests {
    @Test func `reads angle, reference, speed and status`() throws {
        let mwv = try MWV("$WIMWV,214.8,R,10.1,N,A*1C")
        #expect((mwv.angle, mwv.speed) == (214.8, 10.1))
        #expect(mwv.reference == UInt8(ascii: "R"))
        #expect(mwv.status == UInt8(ascii: "A"))
    }

    @Test func `every unit becomes metres per second`() throws {
        for (unit, speed) in [
            ("K", 10.0), ("M", 36.0), ("N", 36 * 1852.0 / 3600), ("S", 36 * 0.44704),
        ] {
            #expect(try MWV(line("WIMWV,214.8,R,36.0,\(unit),A")).speedMetresPerSecond == speed)
        }
        #expect(try MWV(line("WIMWV,214.8,R,36.0,X,A")).speedMetresPerSecond == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try MWV(line("WIMWV,214.8,R,10.1")) }
    }
}

@Suite(.timeLimit(.generous)) struct VWTTests {
    @Test func `reads the side, and the speed in three units`() throws {
        let vwr = try VWT("$WIVWT,30.8,L,4.3,N,2.2,M,8.0,K*7B")
        #expect((vwr.signedAngle, vwr.speedKnots) == (-30.8, 4.3))
        #expect((vwr.speedMetresPerSecond, vwr.speedKilometresPerHour) == (2.2, 8))
    }

    @Test(arguments: [
        ("30.0,R", 30.0), ("30.0,L", 330), ("0.0,L", 0), ("0.0,R", 0), ("180.0,L", 180),
        ("30.0,X", nil), ("30.0,", nil), ("190.0,R", nil), (",L", nil),
    ])
    func `the angle is clockwise from the bow`(_ fields: String, _ angle: Double?) throws {
        #expect(try VWT(line("WIVWT,\(fields),4.3,N,2.2,M,8.0,K")).angle == angle)
    }

    @Test func `any unit gives the speed`() throws {
        #expect(try VWT(line("IIVWT,024,L,018,N,,,,")).speed == 18 * 1852.0 / 3600)
        #expect(try VWT(line("IIVWT,024,L,,N,1.7,M,,")).speed == 1.7)
        #expect(try VWT(line("IIVWT,024,L,,N,,M,36.0,K")).speed == 10)
        #expect(try VWT(line("IIVWT,,,,,,,,")).speed == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try VWT(line("WIVWT,30.8,L")) }
    }
}
