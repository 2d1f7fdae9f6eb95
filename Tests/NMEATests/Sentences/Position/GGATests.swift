// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct GGATests {
    private let specimen =
        "$GNGGA,101520.00,4812.50000,N,01622.42000,E,2,12,0.70,171.4,M,43.1,M,,0000*4C"

    @Test func `reads position, quality, height and corrections`() throws {
        let gga = try GGA(specimen)
        #expect(gga.time == TimeOfDay(hour: 10, minute: 15, second: 20))
        #expect(gga.coordinate?.latitude == 48 + 12.5 / 60)
        #expect(gga.coordinate?.longitude == 16 + 22.42 / 60)
        #expect(gga.quality == .differential)
        #expect(gga.satellites == 12)
        #expect(gga.hdop == 0.7)
        #expect(gga.altitude == 171.4)
        #expect(gga.geoidSeparation == 43.1)
        #expect(gga.correctionAge == nil)
        #expect(gga.station == 0)
    }

    @Test func `south and west are negative`() throws {
        let gga = try GGA(line("GPGGA,101520.00,4812.5,S,01622.42,W,1,05,1.0,1.0,M,,M,,"))
        #expect(
            gga.coordinate
                == Coordinate(latitude: -48.208333333333336, longitude: -16.373666666666665))
    }

    @Test func `a quality above 9 is not evidence of a fix`() throws {
        let text = line("GPGGA,101520.00,4812.5,N,01622.42,E,10,05,1.0,1.0,M,,M,,")
        #expect(try GGA(text).quality == nil)
        #expect(decode(text).fix.mode == .noFix)
    }

    @Test func `quality 9 of NovAtel's receivers is a fix with corrections`() {
        let fix = decode(line("GPGGA,101520.00,4812.5,N,01622.42,E,9,05,1.0,1.0,M,,M,,")).fix
        #expect(fix.mode == .threeD)
        #expect(fix.quality == .differential)
        #expect(fix.altitude == 1)
    }

    @Test(
        arguments: [
            ("1", "0.0,0000", nil, nil), ("1", "0.0,", nil, nil), ("1", ",0000", nil, nil),
            ("2", "0000,0000", nil, nil), ("2", ",0000", nil, nil), ("4", ",0000", nil, nil),
            ("2", "7.6,0133", 7.6, 133), ("2", "7.6,0000", 7.6, 0), ("2", ",0133", nil, 133),
            ("4", "0.0,0000", 0, 0), ("5", "0.0,", 0, nil),
        ] as [(String, String, Double?, Int?)])
    func `zeros in place of empty fields are not corrections`(
        quality: String, fields: String, age: Double?, station: Int?
    ) {
        let fix = decode(
            line("GPGGA,101520.00,4812.5,N,01622.42,E,\(quality),05,1.0,1.0,M,,M,\(fields)")
        ).fix
        #expect(fix.correctionAge == age)
        #expect(fix.correctionStation == station)
    }

    @Test func `a negative age of the corrections is absent, and the rest is used`() throws {
        let gga = try GGA(line("GPGGA,101520.00,4812.5,N,01622.42,E,4,05,1.0,1.0,M,,M,-0.6,0133"))
        #expect(gga.correctionAge == nil && gga.station == 133 && gga.quality == .rtkFixed)
    }

    @Test func `quality 0 is not a fix for any other fields`() {
        let decoded = decode(line("GPGGA,101520.00,4812.5,N,01622.42,E,0,05,1.0,1.0,M,,M,,"))
        #expect(decoded.fix.mode == .noFix)
        #expect(decoded.fix.coordinate == nil)
    }

    @Test func `without a quality it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try GGA(line("GPGGA,101520.00,4812.5,N,01622.42,E"))
        }
    }
}
