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

    @Test(arguments: [2, 3])
    func `the altitude of GGA is preferred, whichever comes first`(dimensions: Int) {
        let pgrmz = line("PGRMZ,1000,f,\(dimensions)")
        let cycle = Cycle("101520.00")
        for order in [[cycle.gga(), pgrmz], [cycle.rmc(), pgrmz, cycle.gga()]] {
            let decoded = decode(order.joined())
            #expect(decoded.fix.altitude == 171.4)
            #expect(decoded.fix.ellipsoidalAltitude == 171.4 + 43.1)
        }
        #expect(decode(cycle.rmc() + pgrmz).fix.altitude == 304.8)
    }

    @Test func `the cycle ends after it if no other sentence has the altitude`() {
        var bench = Bench()
        for cycle in Cycle.run(4) {
            bench.send(cycle.rmc(), line("PGRMZ,562,f,3"), line("PGRMM,WGS 84"))
        }
        #expect(bench.moments == [4, 7, 8, 11])
        #expect(bench.fixes.allSatisfy { $0.altitude == 562 * 0.3048 })
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try PGRMZ(line("PGRMZ,562")) }
    }
}
