// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct PGRMETests {
    @Test func `reads three errors`() throws {
        let pgrme = try PGRME("$PGRME,4.2,M,6.3,M,7.6,M*2C")
        #expect(
            (pgrme.horizontalError, pgrme.verticalError, pgrme.sphericalError) == (4.2, 6.3, 7.6))
    }

    @Test func `scales errors from 50 to 68 % of all positions`() throws {
        let fix = decode(Cycle("101520.00").gga() + line("PGRME,10.0,M,10.0,M,15.0,M")).fix
        #expect(fix.accuracy == Accuracy(horizontal: 12.9, vertical: 14.8, source: .receiver))
    }

    @Test func `an error in feet is missing`() throws {
        #expect(try PGRME(line("PGRME,4.2,f,6.3,f,7.6,f")).horizontalError == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try PGRME(line("PGRME,4.2")) }
    }
}
