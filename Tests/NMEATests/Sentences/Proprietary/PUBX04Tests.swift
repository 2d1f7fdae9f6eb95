// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct PUBX04Tests {
    @Test func `reads time and clock`() throws {
        let pubx04 = try PUBX04("$PUBX,04,101520.00,210326,555338.00,2410,18D,495176,-12.340,21*4F")
        #expect(pubx04.date == CalendarDate(year: 2026, month: 3, day: 21))
        #expect((pubx04.timeOfWeek, pubx04.week) == (555338, 2410))
        #expect(
            (pubx04.clockBias, pubx04.clockDrift, pubx04.pulseGranularity) == (495176, -12.34, 21))
    }

    @Test func `a D marks default leap seconds of the firmware`() throws {
        let assumed = try PUBX04(line("PUBX,04,101520.00,210326,555338.00,2410,18D,0,0,21"))
        #expect((assumed.leapSeconds, assumed.isLeapSecondsAssumed) == (18, true))
        let received = try PUBX04(line("PUBX,04,101520.00,210326,555338.00,2410,18,0,0,21"))
        #expect((received.leapSeconds, received.isLeapSecondsAssumed) == (18, false))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try PUBX04(line("PUBX,04,101520.00")) }
    }
}
