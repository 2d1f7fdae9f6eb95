// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct GLLTests {
    @Test func `reads position, time, status and mode`() throws {
        let gll = try GLL("$GNGLL,4812.50000,N,01622.42000,E,101520.00,A,D*7E")
        #expect(gll.coordinate?.latitude == 48 + 12.5 / 60)
        #expect(gll.time == TimeOfDay(hour: 10, minute: 15, second: 20))
        #expect(gll.status == UInt8(ascii: "A"))
        #expect(gll.mode == .differential)
    }

    @Test(arguments: ["V,A", "A,N", "V,N"])
    func `a void GLL is not a fix`(tail: String) {
        let decoded = decode(line("GPGLL,4812.5,N,01622.42,E,101520.00,\(tail)"))
        #expect(decoded.fix.mode == .noFix)
        #expect(decoded.fix.coordinate == nil)
    }

    @Test func `without a time it does not replace a position that has one`() {
        let gll = line("GPGLL,4812.48,N,01622.43,E,,A")
        let cycles = Cycle.run(4)
        let fixes = decode(cycles.map { $0.rmc() + gll + $0.vtg() }.joined()).fixes
        #expect(fixes.count == 4)
        #expect(fixes.allSatisfy { $0.coordinate?.latitude == 48 + 12.5 / 60 })
        #expect(decode(gll + cycles[0].gga()).fix.coordinate?.latitude == 48 + 12.5 / 60)
        // It is the only position.
        #expect(decode(cycles[0].zda() + gll).fix.coordinate?.latitude == 48 + 12.48 / 60)
        #expect(decode(gll).fix.coordinate?.latitude == 48 + 12.48 / 60)
    }

    @Test func `without a position it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try GLL(line("GPGLL,4812.5,N")) }
    }
}
