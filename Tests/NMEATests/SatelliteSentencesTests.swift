// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct GSATests {
    @Test func `reads dimensions, satellites, DOPs and system`() throws {
        let gsa = try GSA("$GNGSA,A,3,05,07,13,14,20,28,30,,,,,,1.31,0.70,1.11,1*0A")
        #expect(gsa.selection == UInt8(ascii: "A"))
        #expect(gsa.fix == .threeD)
        #expect(gsa.satellites == SatelliteNumbers([5, 7, 13, 14, 20, 28, 30]))
        #expect((gsa.pdop, gsa.hdop, gsa.vdop) == (1.31, 0.7, 1.11))
        #expect(gsa.systemID == 1)
    }

    @Test func `with twenty-four slots the DOPs are the last three`() throws {
        let slots = "1,2,3,4,5,6,7,8,9,10,11,12,65,66,,,,,,,,,,"
        let gsa = try GSA(line("GPGSA,A,3,\(slots),2.1,1.2,1.7"))
        #expect(gsa.satellites.count == 14)
        #expect((gsa.pdop, gsa.hdop, gsa.vdop) == (2.1, 1.2, 1.7))
    }

    @Test(arguments: [("1,1", 1), ("4,", 4)] as [(String, UInt8)])
    func `a second ID after the system ID is not a DOP`(ids: String, system: UInt8) throws {
        let gsa = try GSA(line("GNGSA,A,3,05,07,13,14,,,,,,,,,1.9,1.0,1.6,\(ids)"))
        #expect(gsa.satellites == SatelliteNumbers([5, 7, 13, 14]))
        #expect((gsa.pdop, gsa.hdop, gsa.vdop) == (1.9, 1, 1.6))
        #expect(gsa.systemID == system)
    }

    @Test func `with fourteen slots, missing DOPs are not IDs`() throws {
        let gsa = try GSA(line("GPGSA,A,2,04,07,09,,,,,,,,,,,,2.4,,"))
        #expect((gsa.pdop, gsa.hdop, gsa.vdop) == (2.4, nil, nil))
        #expect(gsa.systemID == nil)
    }

    @Test func `an empty DOP does not erase a known one`() throws {
        let gsa = try GSA(line("GPGSA,A,2,04,07,09,,,,,,,,,,2.4,2.2,"))
        #expect((gsa.pdop, gsa.hdop, gsa.vdop) == (2.4, 2.2, nil))
    }

    @Test func `an E for the dimensions is not evidence of a fix`() throws {
        #expect(try GSA(line("GPGSA,A,E,,,,,,,,,,,,,,,")).fix == nil)
    }

    @Test func `without dimensions it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try GSA(line("GPGSA,A")) }
    }

    @Test(arguments: [12, 13, 14, 24])
    func `any number of satellites is read as it was written`(count: Int) throws {
        var gsa = GSA()
        for number in 1...count { gsa.satellites.append(number) }
        gsa.pdop = 1.5
        gsa.vdop = 1.25
        var writer = SentenceWriter()
        writer.write(gsa)
        #expect(try GSA(String(decoding: writer.bytes, as: UTF8.self)) == gsa)
    }

    @Test(arguments: [12, 63, 64, 65, 130])
    func `slots after any number of empty ones are read`(empty: Int) throws {
        let slots = String(repeating: ",", count: empty)
        let gsa = try GSA(line("GPGSA,A,3,\(slots)05,07,13,14,20,28,1.31,0.70,1.11"))
        #expect(gsa.satellites == SatelliteNumbers([5, 7, 13, 14, 20, 28]))
        #expect(gsa.pdop == 1.31)
        #expect(gsa.vdop == 1.11)
    }
}
