// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct XDRTests {
    @Test func `reads every transducer`() throws {
        let xdr = try XDR("$IIXDR,C,19.5,C,AIR,P,1.01325,B,BARO,A,-2.4,D,ROLL*3C")
        #expect(xdr.transducers.map(\.name) == ["AIR", "BARO", "ROLL"])
        #expect(xdr.transducers.map(\.value) == [19.5, 1.01325, -2.4])
        #expect(xdr.transducers.last?.unit == UInt8(ascii: "D"))
    }

    @Test func `an incomplete transducer is omitted`() throws {
        #expect(try XDR(line("IIXDR,C,19.5,C,AIR,P,1.01")).transducers.count == 1)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try XDR(line("IIXDR,C,19.5,C")) }
    }
}
