// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// Lists of satellites that are incomplete, out of order, ambiguous or empty.
@Suite(.timeLimit(.generous)) struct SatelliteCases {
    private let first = line("GPGSV,3,1,11,02,11,101,31,05,12,102,32,07,13,103,33,09,14,104,34")
    private let second = line("GPGSV,3,2,11,11,15,105,35,13,16,106,36,15,17,107,37,17,18,108,38")
    private let third = line("GPGSV,3,3,11,19,19,109,39,21,20,110,40,23,21,111,41")

    private func used(_ text: String) -> String {
        let decoded = decode(
            text + line("GPGGA,081530.00,5954.762,N,01045.133,E,1,09,1.2,92.5,M,,M,,")
        )
        return ids(decoded.views.last?.used ?? SatelliteIDSet())
    }

    private func ids(_ set: SatelliteIDSet) -> String {
        let all = Constellation.allCases.flatMap { constellation in
            (1...158).compactMap { SatelliteID(constellation, $0) }
        }
        return all.filter { set.contains($0) }.map(\.description).joined(separator: " ")
    }

    @Test func `a list of satellites without its second part is not delivered`() {
        let decoded = decode(first + third)
        #expect(decoded.view == nil)
        #expect(decoded.statistics[.gsvIncomplete] == 1)
    }

    @Test func `the last complete view is kept while a set is incomplete`() {
        let decoded = decode(first + second + third + first + third)
        #expect(decoded.view?.satellites.count == 11)
    }

    @Test func `parts out of order are dropped`() {
        let decoded = decode(second + first + third)
        #expect(decoded.view == nil)
        #expect(decoded.statistics[.gsvIncomplete] == 2)
    }

    @Test func `a signal ID is not a satellite, and an empty strength is missing`() {
        let decoded = decode(line("GAGSV,1,1,02,03,41,181,36,05,08,320,,7"))
        #expect(decoded.inView == "E03 E05")
        #expect(decoded.view?.signals.map(\.signal) == [7, 7])
        #expect(decoded.view?.signals.map(\.cn0) == [36, nil])
    }

    @Test func `two signals of a satellite count as one satellite`() throws {
        let decoded = decode(
            line("GPGSV,1,1,01,07,41,181,36,1") + line("GPGSV,1,1,01,07,41,181,29,8"))
        let satellites = try #require(decoded.view).satellites
        #expect(satellites.count == 1)
        #expect(satellites.first?.signals.map(\.signal) == [1, 8])
        #expect(satellites.first?.cn0 == 36)
    }

    @Test func `an incomplete entry is omitted`() {
        #expect(decode(line("GPGSV,1,1,02,07,41,181,36,08,31")).inView == "G07")
    }

    @Test func `a set of zero satellites clears its constellation`() throws {
        let decoded = decode(
            line("GPGSV,1,1,01,07,41,181,36") + line("GLGSV,1,1,01,70,41,181,36")
                + line("GPGSV,1,1,00"))
        #expect(try #require(decoded.view).satellites.map(\.id.description) == ["R06"])
    }

    @Test func `zero parts and a part beyond the last are rejected`() {
        let decoded = decode(line("GPGSV,0,0,00") + line("GPGSV,1,2,04,07,41,181,36"))
        #expect(decoded.statistics[.gsvIncomplete] == 2)
        #expect(decoded.statistics.accepted == 0)
        #expect(decoded.view == nil)
    }

    @Test func `an entry without a number is not a satellite`() {
        #expect(decode(line("GPGSV,1,1,02,,41,181,36,08,31,101,21")).inView == "G08")
    }

    @Test func `GQ lists QZSS`() {
        #expect(decode(line("GQGSV,1,1,01,03,41,181,36,1")).inView == "J03")
    }

    @Test func `GI lists NavIC`() {
        #expect(decode(line("GIGSV,1,1,01,06,41,181,36,1")).inView == "I06")
    }

    @Test func `the system ID determines the constellation of GSA's numbers`() {
        let text =
            line("GNGSA,A,3,27,21,19,,,,,,,,,,1.10,0.60,0.92,1")
            + line("GNGSA,A,3,81,74,,,,,,,,,,,1.10,0.60,0.92,2")
            + line("GNGSA,A,3,02,08,,,,,,,,,,,1.10,0.60,0.92,3")
        #expect(used(text) == "G19 G21 G27 E02 E08 R10 R17")
    }

    @Test func `the system ID determines the constellation of GSA's numbers also with talker GP`() {
        let text =
            line("GPGSA,A,3,01,03,05,07,33,,,,,,,,1.9,1.0,1.6,1")
            + line("GPGSA,A,3,81,74,,,,,,,,,,,1.9,1.0,1.6,2")
            + line("GPGSA,A,3,02,04,09,11,,,,,,,,,1.9,1.0,1.6,3")
        #expect(used(text) == "G01 G03 G05 G07 S120 E02 E04 E09 E11 R10 R17")
    }

    @Test(arguments: ["0", "F"])
    func `with talker GP and an unknown system ID, GSA lists GPS`(system: String) {
        #expect(used(line("GPGSA,A,3,01,03,,,,,,,,,,,1.9,1.0,1.6,\(system)")) == "G01 G03")
    }

    @Test func `without a system ID the range of a number determines the constellation`() {
        let text =
            line("GNGSA,A,3,30,25,20,,,,,,,,,,3.1,2.2,2.2")
            + line("GNGSA,A,3,74,85,88,,,,,,,,,,3.1,2.2,2.2")
        #expect(used(text) == "G20 G25 G30 R10 R21 R24")
    }

    @Test func `a number with a decimal point is not a system ID`() throws {
        let gsa = try GSA(line("GPGSA,A,3,24,31,11,15,,,,,,,,,2.2,1.3,1.8,1.4"))
        #expect(gsa.systemID == nil)
        #expect((gsa.pdop, gsa.hdop, gsa.vdop) == (2.2, 1.3, 1.8))
        #expect(used(line("GPGSA,A,3,24,31,11,15,,,,,,,,,2.2,1.3,1.8,1.4")) == "G11 G15 G24 G31")
    }

    @Test func `a GSA of six fields has neither satellites nor DOPs`() throws {
        let text = line("GPGSA,A,1,,,,")
        let gsa = try GSA(text)
        #expect(gsa.fix == .noFix)
        #expect(gsa.satellites.count == 0)
        #expect(gsa.pdop == nil && gsa.hdop == nil && gsa.vdop == nil)
        #expect(decode(text).statistics.accepted == 1)
    }

    @Test func `DOPs of 0 and 99.99 are unknown`() throws {
        let gsa = try GSA(line("GPGSA,A,3,24,31,11,15,,,,,,,,,99.99,0.00,1.8"))
        #expect(gsa.pdop == nil && gsa.hdop == nil)
        #expect(gsa.vdop == 1.8)
    }
}
