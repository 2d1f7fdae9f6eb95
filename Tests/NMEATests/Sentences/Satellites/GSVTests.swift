// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct GSVTests {
    private let specimen =
        "$GPGSV,3,1,10,05,62,286,44,07,41,103,40,13,55,214,43,14,12,052,31,1*6F"

    @Test func `reads four satellites and their signal`() throws {
        let gsv = try GSV(specimen)
        #expect((gsv.total, gsv.part, gsv.inView) == (3, 1, 10))
        #expect(gsv.signalID == 1)
        #expect(gsv.entries.map(\.number) == [5, 7, 13, 14])
        #expect(gsv.entries.last == GSV.Entry(number: 14, elevation: 12, azimuth: 52, cn0: 31))
    }

    @Test func `an entry may lack direction or strength`() throws {
        let gsv = try GSV(line("GPGSV,1,1,03,05,,,44,07,41,,,09,,103,"))
        #expect(
            gsv.entries == [
                GSV.Entry(number: 5, cn0: 44), GSV.Entry(number: 7, elevation: 41),
                GSV.Entry(number: 9, azimuth: 103),
            ])
    }

    @Test func `values out of range are missing, the satellite is not`() throws {
        let gsv = try GSV(line("GPGSV,1,1,02,05,91,361,100,07,-5,360,99"))
        #expect(
            gsv.entries == [
                GSV.Entry(number: 5), GSV.Entry(number: 7, elevation: -5, azimuth: 0, cn0: 99),
            ])
    }

    @Test func `Quectel's PQ names signal and system`() throws {
        let gsv = try GSV(line("PQGSV,1,1,02,02,41,181,36,07,08,320,,1,5"))
        #expect((gsv.signalID, gsv.systemID) == (1, 5))
        #expect(gsv.entries.count == 2)
    }

    @Test func `without a count it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try GSV(line("GPGSV,1,1")) }
    }

    @Test func `a sentence with too many satellites has no signal`() throws {
        let five = (1...5).map { "0\($0),10,100,30" }.joined(separator: ",")
        let text = line("GPGSV,1,1,05,\(five),3")
        #expect(try GSV(text).signalID == nil)
        let view = try #require(decode(text + Cycle.run(1)[0].rmc()).views.last)
        #expect(view.signals.map(\.signal) == [0, 0, 0, 0])
    }
}
