// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct RMCTests {
    private let place = "101520.00,A,4812.50000,N,01622.42000,E"

    @Test func `reads everything a modern receiver sends`() throws {
        let rmc = try RMC(
            "$GNRMC,101520.00,A,4812.50000,N,01622.42000,E,1.234,54.31,210326,,,D,V*30")
        #expect(rmc.status == UInt8(ascii: "A"))
        #expect((rmc.speedKnots, rmc.course) == (1.234, 54.31))
        #expect(rmc.date == CalendarDate(year: 2026, month: 3, day: 21))
        #expect(rmc.magneticVariation == nil)
        #expect(rmc.mode == .differential)
        #expect(rmc.navigationStatus == UInt8(ascii: "V"))
    }

    @Test func `the eleventh and last field is the variation's direction`() throws {
        for (letter, sign) in [("E", 1.0), ("W", -1.0)] {
            let rmc = try RMC(line("GPRMC,\(place),0.4,12.0,210326,002.1,\(letter)"))
            #expect(rmc.magneticVariation == 2.1 * sign)
            #expect(rmc.mode == nil)
        }
    }

    @Test func `the sign of a variation is only its letter`() throws {
        #expect(try RMC(line("GPRMC,\(place),0.4,12.0,210326,-2.1,W,A")).magneticVariation == nil)
    }

    @Test func `a variation above 180 degrees is not known`() throws {
        for tail in ["999.9000,E,D", "999.9,E"] {
            let fix = decode(line("GPRMC,\(place),0.4,12.0,210326,\(tail)")).fix
            #expect(fix.magneticVariation == nil)
            #expect(fix.coordinate != nil)
        }
    }

    @Test(arguments: ["0.00,E,A,V", "0.0,W,D", "00,W"])
    func `a variation of 0 is not known`(tail: String) {
        let fix = decode(line("GPRMC,\(place),0.4,12.0,210326,\(tail)")).fix
        #expect(fix.magneticVariation == nil)
        #expect(fix.coordinate != nil)
    }

    @Test func `a variation without direction is followed by the mode`() throws {
        let rmc = try RMC(line("GPRMC,\(place),0.4,12.0,210326,002.1,D"))
        #expect(rmc.magneticVariation == nil)
        #expect(rmc.mode == .differential)
        #expect(try RMC(line("GPRMC,\(place),0.4,12.0,210326,,N")).mode == .invalid)
    }

    @Test func `an empty course stays unknown`() {
        let decoded = decode(line("GPRMC,\(place),0.0,,210326,,,A"))
        #expect(decoded.fix.speed == 0)
        #expect(decoded.fix.course == nil)
    }

    @Test func `an unknown mode letter leaves the decision to the status`() {
        #expect(decode(line("GPRMC,\(place),0.0,,210326,,,C")).fix.mode == .twoD)
    }

    @Test func `the status D is a fix with corrections`() {
        let tail = "0.0,,210326,,"
        let unicore = place.replacing("A,", with: "D,")
        let float = decode(line("GNRMC,\(unicore),\(tail),F,V")).fix
        #expect(float.coordinate?.latitude == 48 + 12.5 / 60)
        #expect(float.quality == .rtkFloat)
        #expect(decode(line("GNRMC,\(unicore),\(tail)")).fix.quality == .differential)
        #expect(decode(line("GNRMC,\(unicore),\(tail),N,V")).fix.mode == .noFix)
    }

    @Test func `without a date field it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try RMC(line("GPRMC,\(place),0.4,12.0"))
        }
    }
}
