// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// Every numbering scheme, by the constellation of the list.
@Suite(.timeLimit(.generous)) struct SatelliteNumberingTests {
    private func name(_ number: Int, _ constellation: Constellation?) -> String? {
        SatelliteID(number: number, listedUnder: constellation)?.description
    }

    @Test(arguments: [
        (1, "G01"), (32, "G32"), (33, "S120"), (64, "S151"), (65, "R01"), (96, "R32"),
        (99, "R35"), (120, "S120"), (158, "S158"), (161, "C01"), (172, "C12"), (193, "J01"),
        (200, "J08"), (201, "C01"), (264, "C64"), (301, "E01"), (336, "E36"), (401, "C01"),
        (464, "C64"), (901, "I01"), (918, "I18"),
    ])
    func `without a constellation, and under GPS, the range decides`(number: Int, id: String) {
        #expect(name(number, nil) == id)
        #expect(name(number, .gps) == id)
    }

    @Test(arguments: [
        0, 100, 119, 159, 173, 182, 192, 265, 300, 337, 400, 465, 501, 900, 919, 9999,
    ])
    func `numbers outside the table are not satellites`(number: Int) {
        #expect(name(number, nil) == nil)
    }

    @Test(arguments: [
        (Constellation.glonass, 1, "R01"), (.glonass, 32, "R32"), (.glonass, 33, "S120"),
        (.glonass, 65, "R01"), (.glonass, 99, "R35"), (.glonass, 133, "S133"),
        (.galileo, 1, "E01"), (.galileo, 36, "E36"), (.galileo, 101, "E01"),
        (.galileo, 136, "E36"), (.galileo, 303, "E03"),
        (.beiDou, 1, "C01"), (.beiDou, 64, "C64"), (.beiDou, 101, "C01"), (.beiDou, 140, "C40"),
        (.beiDou, 161, "C01"), (.beiDou, 197, "C37"), (.beiDou, 214, "C14"),
        (.beiDou, 437, "C37"),
        (.qzss, 1, "J01"), (.qzss, 10, "J10"), (.qzss, 193, "J01"), (.qzss, 201, "J09"),
        (.qzss, 202, "J10"),
        (.navIC, 1, "I01"), (.navIC, 15, "I15"), (.navIC, 33, "S120"), (.navIC, 905, "I05"),
    ])
    func `under a constellation its own schemes count`(
        constellation: Constellation, number: Int, id: String
    ) {
        #expect(name(number, constellation) == id)
    }

    @Test(arguments: [
        (Constellation.galileo, 37), (.galileo, 64), (.galileo, 137), (.beiDou, 141),
        (.beiDou, 160), (.beiDou, 198), (.qzss, 11), (.qzss, 55), (.qzss, 203), (.navIC, 16),
        (.glonass, 100), (.gps, 500), (.gps, 533), (.gps, 601), (.beiDou, 801), (.beiDou, 850),
    ])
    func `an uncertain number stays unidentified rather than wrong`(
        constellation: Constellation, number: Int
    ) {
        #expect(name(number, constellation) == nil)
    }

    @Test(arguments: [
        ("GP", "G03"), ("GL", "R03"), ("GA", "E03"), ("GB", "C03"), ("BD", "C03"), ("GQ", "J03"),
        ("QZ", "J03"), ("GI", "I03"), ("GN", "G03"), ("XX", "G03"),
    ])
    func `a talker names the constellation`(talker: String, id: String) {
        #expect(decode(line("\(talker)GSV,1,1,01,03,45,100,40")).inView == id)
    }

    @Test(arguments: Constellation.allCases.filter { $0 != .sbas })
    func `the talker of a constellation names it`(constellation: Constellation) {
        let list = line("\(constellation.talker)GSV,1,1,01,03,45,100,40")
        #expect(decode(list).inView == "\(constellation.letter)03")
    }

    @Test func `BeiDou's satellites are used if only their numbers name the constellation`()
        throws
    {
        let used = line("GNGSA,A,3,170,,,,,,,,,,,,1.9,1.0,1.6")
        let listed = line("BDGSV,1,1,02,170,58,210,33,174,70,355,")
        let decoded = decode(Cycle("101520.00").gga() + used + listed)
        #expect(decoded.inView == "C10 C14")
        let id = try #require(SatelliteID(.beiDou, 10))
        #expect(decoded.views.last?.used.contains(id) == true)
    }

    @Test(
        arguments: [
            (.gps, 501...532, "G01"), (.gps, 651...682, "G01"), (.glonass, 565...596, "R01"),
            (.galileo, 951...986, "E01"), (.beiDou, 601...663, "C01"), (.beiDou, 701...763, "C01"),
            (.beiDou, 851...913, "C01"),
        ] as [(Constellation, ClosedRange<Int>, String)])
    func `a second signal has a number of its own`(
        constellation: Constellation, numbers: ClosedRange<Int>, first: String
    ) {
        #expect(name(numbers.lowerBound, constellation) == first)
        let last = SatelliteID(constellation, numbers.count)?.description
        #expect(name(numbers.upperBound, constellation) == last)
    }

    @Test func `a second number of a satellite is a signal of it`() throws {
        // From the manual of Allystar's receivers.
        let list = line("BDGSV,1,1,04,216,79,57,44,237,67,249,44,220,53,301,44,870,53,301,41")
        let decoded = decode(Cycle("101520.00").gga() + list)
        #expect(decoded.inView == "C16 C20 C37")
        let satellites = try #require(decoded.view).satellites
        #expect(satellites.map { $0.signals.map(\.signal) } == [[0], [0, 5], [0]])
        #expect(satellites.map { $0.signals.map(\.cn0) } == [[44], [44, 41], [44]])
    }

    @Test func `a signal with a number of its own expires when it is no longer listed`() {
        let both = line("GPGSV,1,1,02,07,41,181,36,657,41,181,29")
        let one = line("GPGSV,1,1,01,07,41,181,36")
        let cycles = Cycle.run(20)
        let text = cycles.map { $0.rmc() + ($0.clock == "101520.00" ? both : one) }
        let decoded = decode(text.joined())
        #expect(decoded.views.first?.signals.map(\.signal) == [0, 7])
        #expect(decoded.views.last?.signals.map(\.signal) == [0])
    }

    @Test(arguments: [(1, "G03"), (2, "R03"), (3, "E03"), (4, "C03"), (5, "J03"), (6, "I03")])
    func `a system id names the constellation under GN`(system: Int, id: String) {
        let decoded = decode(
            Cycle("101520.00").gga() + line("GNGSA,A,3,03,,,,,,,,,,,,1.9,1.0,1.6,\(system)"))
        let wanted = SatelliteID(
            number: 3,
            listedUnder: Constellation.allCases.first {
                String($0.letter) == id.prefix(1)
            })
        #expect(wanted.map { decoded.views.last?.used.contains($0) } == true)
    }
}

extension SatelliteNumberingTests {
    @Test(arguments: [
        (1, "G01"), (33, "C06"), (64, "C37"), (65, "R01"), (120, "S120"), (159, "C01"),
        (163, "C05"), (193, "J01"), (202, "J10"), (211, "E01"), (246, "E36"),
    ])
    func `u-blox's single numbers have a scheme of their own`(number: Int, id: String) {
        #expect(SatelliteID(uBloxNumber: number)?.description == id)
    }

    @Test(arguments: [0, 97, 173, 210, 247, 255])
    func `numbers outside u-blox's scheme are not satellites`(number: Int) {
        #expect(SatelliteID(uBloxNumber: number) == nil)
    }
}
