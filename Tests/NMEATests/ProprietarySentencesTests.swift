// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct PUBX00Tests {
    @Test func `reads a whole fix`() throws {
        let pubx00 = try PUBX00(
            "$PUBX,00,101520.00,4812.5,N,01622.42,E,214.533,G3,2.1,3.0,0.018,77.52,-0.007,,0.92,1.19,0.77,9,0,0*41"
        )
        #expect(pubx00.time == TimeOfDay(hour: 10, minute: 15, second: 20))
        #expect((pubx00.ellipsoidalAltitude, pubx00.status) == (214.533, "G3"))
        #expect((pubx00.horizontalAccuracy, pubx00.verticalAccuracy) == (2.1, 3))
        #expect((pubx00.speedKilometresPerHour, pubx00.course) == (0.018, 77.52))
        #expect((pubx00.descentRate, pubx00.satellites) == (-0.007, 9))
        #expect((pubx00.hdop, pubx00.vdop, pubx00.tdop) == (0.92, 1.19, 0.77))
    }

    @Test func `makes a fix by itself`() throws {
        let text = line(
            "PUBX,00,101520.00,4812.5,N,01622.42,E,214.5,D3,2.1,3.0,36.0,77.5,0.0,2.0,0.9,1.2,0.8,9,0,0"
        )
        let fix = decode(text).fix
        #expect(fix.mode == .threeD)
        #expect(fix.quality == .differential)
        #expect((fix.altitude, fix.ellipsoidalAltitude) == (nil, 214.5))
        #expect((fix.speed, fix.course) == (10, 77.5))
        #expect(fix.accuracy == Accuracy(horizontal: 2.1, vertical: 3, source: .receiver))
    }

    @Test func `a negative age of the corrections is absent, and the rest is used`() throws {
        let text =
            "PUBX,00,101520.00,4812.5,N,01622.42,E,214.5,D3,2.1,3.0,36.0,77.5,0.0,-0.6,0.9,1.2,0.8,9,0,0"
        let pubx00 = try PUBX00(line(text))
        #expect(pubx00.correctionAge == nil && pubx00.hdop == 0.9 && pubx00.satellites == 9)
    }

    @Test func `without a fix it reports no fix`() throws {
        for status in ["NF", "TT"] {
            let text = line("PUBX,00,101520.00,4812.5,N,01622.42,E,214.5,\(status),,,,,,,,,,0,0,0")
            #expect(decode(text).fix.mode == .noFix)
        }
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try PUBX00(line("PUBX,00,101520.00,4812.5,N"))
        }
    }
}
