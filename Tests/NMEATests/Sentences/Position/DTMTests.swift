// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct DTMTests {
    @Test func `reads the datum and its offsets`() throws {
        let dtm = try DTM("$GPDTM,999,CH95,0.08,N,0.07,E,-47.7,W84*1C")
        #expect((dtm.localDatum, dtm.subcode) == ("999", "CH95"))
        #expect(
            (dtm.latitudeOffset, dtm.longitudeOffset, dtm.altitudeOffset) == (0.08, 0.07, -47.7))
        #expect(dtm.referenceDatum == "W84")
    }

    @Test(arguments: [
        ("GPDTM,W84,,0.0,N,0.0,E,0.0,W84", nil), ("GPDTM,999,,0.0,N,0.0,E,0.0,W84", nil),
        ("GPDTM,999,CH95,0.08,N,0.07,E,-47.7,W84", "999 CH95"), ("GPDTM,TOY,,,,,,,W84", "TOY"),
        ("PGRMM,WGS 84", nil), ("PGRMM,Tokyo", "Tokyo"),
    ])
    func `the decoder states a datum other than WGS 84`(_ body: String, _ expected: String?) {
        var decoder = NMEADecoder()
        decoder.push(Array(line(body).utf8).span) { _ in }
        #expect(decoder.otherDatum == expected)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try DTM(line("GPDTM,W84,,0.0,N")) }
    }
}
