// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct HDGTests {
    @Test func `reads heading, deviation and variation`() throws {
        let hdg = try HDG("$HCHDG,98.3,1.5,W,4.6,E*64")
        #expect(hdg.sensorHeading == 98.3)
        #expect((hdg.deviation, hdg.variation) == (-1.5, 4.6))
    }

    @Test func `deviation and variation give the true heading`() throws {
        let hdg = try HDG(line("HCHDG,2.0,5.0,W,4.0,E"))
        #expect(hdg.magneticHeading == 357)
        #expect(hdg.trueHeading == 1)
        #expect(try HDG(line("HCHDG,98.0,,,,")).trueHeading == nil)
    }

    @Test func `a variation above 180 degrees gives no true heading`() throws {
        let hdg = try HDG(line("HCHDG,98.0,,,999.9,E"))
        #expect(hdg.magneticHeading == 98)
        #expect(hdg.trueHeading == nil)
    }

    @Test func `a heading is never a course`() throws {
        let cycle = Cycle("101520.00")
        let decoded = decode(cycle.gga() + line("HCHDG,98.3,,,4.6,E"))
        #expect(decoded.fix.course == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try HDG(line("HCHDG")) }
    }
}

@Suite(.timeLimit(.generous)) struct HDMTests {
    @Test func `reads the heading`() throws {
        let hdm = try HDM("$HCHDM,238.5,M*25")
        #expect(hdm.heading == 238.5)
    }

    @Test func `a true heading is not a magnetic heading`() throws {
        #expect(try HDM(line("HCHDM,238.5,T")).heading == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try HDM(line("HCHDM")) }
    }
}

@Suite(.timeLimit(.generous)) struct HDTTests {
    @Test func `reads the heading`() throws {
        let hdt = try HDT("$HEHDT,123.4,T*2B")
        #expect(hdt.heading == 123.4)
    }

    @Test func `a magnetic heading is not a true heading`() throws {
        #expect(try HDT(line("HEHDT,123.4,M")).heading == nil)
    }

    @Test func `a heading is never a course`() throws {
        let cycle = Cycle("101520.00")
        let decoded = decode(cycle.gga() + line("HEHDT,123.4,T"))
        #expect(decoded.fix.course == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try HDT(line("HEHDT")) }
    }
}

@Suite(.timeLimit(.generous)) struct ROTTests {
    @Test func `reads a turn to port`() throws {
        let rot = try ROT("$TIROT,-35.6,A*26")
        #expect(rot.rate == -35.6)
        #expect(rot.status == UInt8(ascii: "A"))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try ROT(line("TIROT")) }
    }
}

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

/// The attitude that receivers with two antennas send in sentences of their own.
@Suite(.timeLimit(.generous)) struct AttitudeSentenceTests {
    private func attitude(_ body: String) -> Attitude {
        decode(Cycle("101520.00").gga() + line(body)).fix.attitude
    }

    @Test(
        arguments: [
            (
                "PTNL,AVR,101520.00,+52.1531,Yaw,-0.0806,Tilt,,,12.575,3,1.4,16", 52.1531, -0.0806,
                nil
            ),
            ("PTNL,AVR,101520.00,-10.0,Yaw,1.5,Tilt,2.5,Roll,12.575,3,1.4,16", 350, 1.5, 2.5),
            ("PSAT,HPR,101520.00,123.45,1.2,-0.5,N", 123.45, 1.2, -0.5),
            ("GNHPR,101520.00,348.25,-1.50,000.00,4,22,1.0,0999", 348.25, -1.5, nil),
            (
                "KSXT,20260321101520.00,8.0,54.0,45.0,123.4,1.2,90.0,9.26,0.5,3,3,12,12", 123.4,
                1.2, 0.5
            ),
        ] as [(String, Double, Double, Double?)])
    func `reads heading, pitch and roll`(
        body: String, heading: Double, pitch: Double, roll: Double?
    ) {
        let attitude = attitude(body)
        #expect(attitude.heading == heading)
        #expect(attitude.pitch == pitch)
        #expect(attitude.roll == roll)
    }

    @Test(arguments: [
        "PTNL,AVR,101520.00,+52.1531,Yaw,-0.0806,Tilt,,,12.575,0,1.4,16",
        "GNHPR,101520.00,348.25,-1.50,000.00,0,22,1.0,0999",
        "KSXT,20260321101520.00,8.0,54.0,45.0,123.4,1.2,90.0,9.26,0.5,3,0,12,12",
        "PSAT,HPR,101521.00,123.45,1.2,-0.5,N",
    ])
    func `an attitude without a solution, or of another time, is not used`(body: String) {
        #expect(attitude(body) == Attitude())
    }

    @Test func `with too few fields they are rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try HPR(line("GNHPR,101520.00")) }
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try KSXT(line("KSXT,20260321")) }
    }
}
