// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct ZDATests {
    @Test func `reads time, date and zone`() throws {
        let zda = try ZDA(line("GPZDA,101520.25,21,03,2026,-05,30"))
        #expect(zda.time?.nanosecond == 250_000_000)
        #expect(zda.date == CalendarDate(year: 2026, month: 3, day: 21))
        #expect((zda.zoneHours, zda.zoneMinutes) == (-5, 30))
    }

    @Test func `gives GGA its date`() {
        let decoded = decode(
            line("GPZDA,101520.00,21,03,2026,00,00")
                + line("GPGGA,101520.00,4812.5,N,01622.42,E,1,05,1.0,1.0,M,,M,,"))
        #expect(decoded.fix.time?.description == "2026-03-21T10:15:20.000Z")
    }

    @Test(arguments: ["31,02,2026", "00,01,2026", "21,13,2026", "21,03,026", ",,"])
    func `a day that does not exist is not a date`(date: String) throws {
        let zda = try ZDA(line("GPZDA,101520.00,\(date),00,00"))
        #expect(zda.date == nil)
        #expect(zda.time != nil)
    }

    @Test func `without a year field it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try ZDA(line("GPZDA,101520.00,21,03"))
        }
    }
}
