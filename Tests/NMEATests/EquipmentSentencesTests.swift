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
