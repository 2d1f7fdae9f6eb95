// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct GNSTests {
    private let specimen =
        "$GNGNS,101520.00,4812.50000,N,01622.42000,E,DAAN,12,0.70,171.4,43.1,,0000,V*15"

    @Test func `reads a mode per constellation and the navigation status`() throws {
        let gns = try GNS(specimen)
        #expect(gns.modes[.gps] == .differential)
        #expect(gns.modes[.beiDou] == .invalid)
        #expect(gns.modes[.navIC] == nil)
        #expect(gns.altitude == 171.4)
        #expect(gns.navigationStatus == UInt8(ascii: "V"))
    }

    @Test func `the best letter is the fix's quality`() {
        #expect(decode(specimen).fix.quality == .differential)
        let other = line("GNGNS,101520.00,4812.5,N,01622.42,E,NNRA,12,0.7,171.4,43.1,,")
        #expect(decode(other).fix.quality == .rtkFixed)
    }

    @Test func `a non-standard letter is a fix of unknown quality`() {
        let decoded = decode(line("GNGNS,101520.00,4812.5,N,01622.42,E,CN,12,0.7,171.4,43.1,,"))
        #expect(decoded.fix.mode == .threeD)
        #expect(decoded.fix.quality == .autonomous)
    }

    @Test func `zeros in place of empty fields are not corrections`() {
        #expect(decode(specimen).fix.correctionStation == nil)
        for (modes, age) in [("AA", nil), ("DA", nil), ("RA", 0)] as [(String, Double?)] {
            let text = "GNGNS,101520.00,4812.5,N,01622.42,E,\(modes),12,0.7,171.4,43.1,0.0,0000"
            #expect(decode(line(text)).fix.correctionAge == age, "\(modes)")
        }
    }

    @Test func `a negative age of the corrections is absent, and the rest is used`() throws {
        let gns = try GNS(line("GNGNS,101520.00,4812.5,N,01622.42,E,RR,12,0.7,1.0,2.0,-0.6,0133"))
        #expect(gns.correctionAge == nil && gns.station == 133 && gns.altitude == 1)
    }

    @Test func `sentences without modes add the corrections of their constellations`() {
        let combined = line(
            "GNGNS,101520.00,4812.5,N,01622.42,E,RR,13,0.9,171.4,43.1,,")
        let parts =
            line("GPGNS,101520.00,,,,,,8,,,,1.0,23") + line("GLGNS,101520.00,,,,,,5,,,,1.0,23")
        let fix = decode(combined + parts).fix
        #expect(fix.correctionAge == 1)
        #expect(fix.correctionStation == 23)
        #expect(fix.quality == .rtkFixed)
        #expect(fix.satellitesUsed == 13)
    }

    @Test func `navigation status V does not make a fix invalid`() {
        #expect(decode(specimen).fix.mode == .threeD)
    }

    @Test func `without modes it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) {
            try GNS(line("GNGNS,101520.00,4812.5,N,01622.42,E"))
        }
    }
}
