// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct PGRMZTests {
    @Test func `reads altitude and dimensions`() throws {
        let pgrmz = try PGRMZ("$PGRMZ,562,f,3*1A")
        #expect(pgrmz.altitudeFeet == 562)
        #expect(pgrmz.fix == .threeD)
    }

    @Test func `replaces the altitude of GGA`() throws {
        let decoded = decode(Cycle("101520.00").gga() + line("PGRMZ,1000,f,3"))
        #expect(decoded.fix.altitude == 304.8)
        #expect(decoded.fix.geoidSeparation == 43.1)
    }

    @Test func `in two dimensions it does not replace GGA's altitude`() throws {
        #expect(decode(Cycle("101520.00").gga() + line("PGRMZ,1000,f,2")).fix.altitude == 171.4)
        #expect(decode(Cycle("101520.00").rmc() + line("PGRMZ,1000,f,2")).fix.altitude == 304.8)
    }

    @Test func `the cycle ends after it if the receiver sends it`() throws {
        var bench = Bench()
        for cycle in Cycle.run(4) {
            bench.send(cycle.rmc(), cycle.gga(), line("PGRMZ,562,f,3"), line("PGRMM,WGS 84"))
        }
        #expect(bench.moments == [5, 9, 11, 15])
        #expect(bench.fixes.allSatisfy { $0.altitude == 562 * 0.3048 })
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try PGRMZ(line("PGRMZ,562")) }
    }
}
