// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct PTNLGGKTests {
    @Test func `reads the month before the day, and the height after its letters`() throws {
        let ptnlggk = try PTNLGGK(
            "$PTNL,GGK,101520.00,032126,4812.50000000,N,01622.42000000,E,3,14,1.1,EHT214.533,M*70")
        #expect(ptnlggk.date == CalendarDate(year: 2026, month: 3, day: 21))
        #expect(ptnlggk.ellipsoidalAltitude == 214.533)
        #expect((ptnlggk.quality, ptnlggk.satellites, ptnlggk.dop) == (.rtkFixed, 14, 1.1))
    }

    @Test func `makes a fix with a date by itself`() throws {
        let text = line("PTNL,GGK,101520.00,032126,4812.5,N,01622.42,E,2,14,1.1,EHT214.533,M")
        let fix = decode(text).fix
        #expect(fix.time?.description == "2026-03-21T10:15:20.000Z")
        #expect(fix.mode == .threeD)
        #expect(fix.quality == .rtkFloat)
        #expect((fix.altitude, fix.ellipsoidalAltitude) == (nil, 214.533))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try PTNLGGK(line("PTNL,GGK,101520.00,032126"))
        }
    }
}
