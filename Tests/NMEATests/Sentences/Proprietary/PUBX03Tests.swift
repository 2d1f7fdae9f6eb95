// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct PUBX03Tests {
    @Test func `reads every satellite`() throws {
        let pubx03 = try PUBX03("$PUBX,03,3,05,U,286,62,44,64,211,e,103,41,,0,68,-,052,12,31,7*37")
        #expect(pubx03.count == 3)
        #expect(pubx03.entries.map(\.number) == [5, 211, 68])
        #expect(pubx03.entries.first?.status == UInt8(ascii: "U"))
        #expect(pubx03.entries.map(\.cn0) == [44, nil, 31])
        #expect(pubx03.entries.last?.lockTime == 7)
    }

    @Test func `names the satellites used`() throws {
        let text = line("PUBX,03,3,05,U,286,62,44,64,211,U,103,41,40,9,68,-,052,12,31,7")
        let used = decode(Cycle("101520.00").gga() + text).views.last?.used
        #expect(used?.count == 2)
        #expect(SatelliteID(.galileo, 1).map { used?.contains($0) } == true)
    }

    @Test func `with too few fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try PUBX03(line("PUBX,03")) }
    }
}
