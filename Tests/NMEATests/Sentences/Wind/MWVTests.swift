// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct MWVTests {
    @Test func `reads angle, reference, speed and status`() throws {
        let mwv = try MWV("$WIMWV,214.8,R,10.1,N,A*1C")
        #expect((mwv.angle, mwv.speed) == (214.8, 10.1))
        #expect(mwv.reference == UInt8(ascii: "R"))
        #expect(mwv.status == UInt8(ascii: "A"))
    }

    @Test func `every unit becomes metres per second`() throws {
        for (unit, speed) in [
            ("K", 10.0), ("M", 36.0), ("N", 36 * 1852.0 / 3600), ("S", 36 * 0.44704),
        ] {
            #expect(try MWV(line("WIMWV,214.8,R,36.0,\(unit),A")).speedMetresPerSecond == speed)
        }
        #expect(try MWV(line("WIMWV,214.8,R,36.0,X,A")).speedMetresPerSecond == nil)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try MWV(line("WIMWV,214.8,R,10.1")) }
    }
}
