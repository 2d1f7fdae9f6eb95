// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct TXTTests {
    @Test func `reads number, kind and text`() throws {
        let txt = try TXT("$GPTXT,01,01,02,ANTENNA OK*36")
        #expect((txt.total, txt.part, txt.identifier) == (1, 1, 2))
        #expect(txt.text == "ANTENNA OK")
    }

    @Test func `escapes are undone, and commas kept`() throws {
        #expect(try TXT(line("GPTXT,01,01,07,12^2C5 ^B0C, in all")).text == "12,5 °C, in all")
        #expect(try TXT(line("GPTXT,01,01,07,2^ 3^Z")).text == "2^ 3^Z")
    }

    @Test func `a sentence with only a text is accepted`() throws {
        let txt = try TXT(line("GNTXT,(C)2000-2018 X"))
        #expect((txt.total, txt.text) == (nil, "(C)2000-2018 X"))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try TXT(line("GPTXT")) }
    }
}

@Suite(.timeLimit(.generous)) struct RPMTests {
    @Test func `reads an engine's revolutions`() throws {
        let rpm = try RPM("$IIRPM,E,1,2418.2,10.5,A*5F")
        #expect(rpm.origin == UInt8(ascii: "E"))
        #expect((rpm.number, rpm.rate, rpm.pitch) == (1, 2418.2, 10.5))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try RPM(line("IIRPM,E,1")) }
    }
}

@Suite(.timeLimit(.generous)) struct RSATests {
    @Test func `reads both rudders`() throws {
        let rsa = try RSA("$IIRSA,10.5,A,-0.4,V*4A")
        #expect((rsa.starboard, rsa.port) == (10.5, -0.4))
        #expect(rsa.portStatus == UInt8(ascii: "V"))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try RSA(line("IIRSA,10.5")) }
    }
}

@Suite(.timeLimit(.generous)) struct TTMTests {
    @Test func `reads the position and motion of a target`() throws {
        let ttm = try TTM("$RATTM,11,11.4,13.6,T,7.0,20.0,T,0.5,-2.3,N,FERRY,T,,101520.00,M*4A")
        #expect((ttm.number, ttm.distance, ttm.bearing) == (11, 11.4, 13.6))
        #expect((ttm.speed, ttm.course) == (7, 20))
        #expect((ttm.closestDistance, ttm.closestTime) == (0.5, -2.3))
        #expect(ttm.name == "FERRY")
        #expect(ttm.status == UInt8(ascii: "T"))
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try TTM(line("RATTM,11,11.4,13.6,T")) }
    }
}

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
