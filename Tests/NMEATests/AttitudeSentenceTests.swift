// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

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
