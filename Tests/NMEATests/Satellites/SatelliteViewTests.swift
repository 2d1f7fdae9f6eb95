// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// The satellites in view.
@Suite(.timeLimit(.generous)) struct SatelliteViewTests {
    private func gsv(_ head: String, _ numbers: [Int], _ tail: String = "", talker: String = "GP")
        -> String
    {
        let entries = numbers.map { "\($0),45,100,40" }
        return line(([talker + "GSV", head] + entries).joined(separator: ",") + tail)
    }

    @Test func `part 1 begins a new set and drops an incomplete one`() {
        let decoded = decode(
            gsv("2,1,05", [1, 2, 3, 4]) + gsv("2,1,05", [5, 6, 7, 8]) + gsv("2,2,05", [9]))
        #expect(decoded.inView == "G05 G06 G07 G08 G09")
        #expect(decoded.statistics[.gsvIncomplete] == 1)
    }

    @Test func `a list is complete if every sentence is sent twice`() {
        let parts = [
            gsv("3,1,09", [1, 2, 3, 4]), gsv("3,2,09", [5, 6, 7, 8]), gsv("3,3,09", [9]),
        ]
        let cycles = Cycle.run(3).map { [$0.rmc()] + parts }
        let once = decode(cycles.joined().joined())
        let twice = decode(cycles.joined().flatMap { [$0, $0] }.joined())
        #expect(twice.inView == "G01 G02 G03 G04 G05 G06 G07 G08 G09")
        #expect(twice.views == once.views)
    }

    @Test func `a part with the number of the last one and another content drops the set`() {
        let first = gsv("3,1,09", [1, 2, 3, 4])
        let second = gsv("3,2,09", [5, 6, 7, 8])
        let last = gsv("3,3,09", [9])
        for part in [gsv("3,2,09", [5, 6, 7, 10]), gsv("3,2,09", [5, 6, 7])] {
            let decoded = decode(first + second + part + last)
            #expect(decoded.view == nil)
            #expect(decoded.statistics[.gsvIncomplete] == 2)
        }
        // The same part in a later epoch is not a repetition.
        let rmc = Cycle("101520.00").rmc()
        let later = decode(rmc + first + second + Cycle("101521.00").rmc() + second + last)
        #expect(later.view == nil)
    }

    @Test func `a part with another total drops the set`() {
        let decoded = decode(gsv("2,1,05", [1, 2, 3, 4]) + gsv("3,2,09", [5, 6, 7, 8]))
        #expect(decoded.view == nil)
        #expect(decoded.statistics[.gsvIncomplete] == 1)
    }

    @Test func `parts of alternating talkers form separate sets`() {
        let decoded = decode(
            gsv("2,1,05", [1, 2, 3, 4]) + gsv("2,1,05", [65, 66, 67, 68], talker: "GL")
                + gsv("2,2,05", [5]) + gsv("2,2,05", [69], talker: "GL"))
        #expect(decoded.inView == "G01 G02 G03 G04 G05 R01 R02 R03 R04 R05")
    }

    @Test func `parts numbered across talkers form one set`() {
        // Trimble R2
        let first =
            gsv("4,1,09", [26, 9, 3, 23]) + gsv("4,2,09", [16])
            + gsv("4,3,09", [73, 74], talker: "GL") + gsv("4,4,09", [19, 1], talker: "GA")
        let second =
            gsv("3,1,06", [26, 9, 3, 23]) + gsv("3,2,06", [73], talker: "GL")
            + gsv("3,3,06", [19], talker: "GA")
        #expect(decode(first).inView == "G03 G09 G16 G23 G26 E01 E19 R09 R10")
        let decoded = decode(first + second)
        #expect(decoded.inView == "G03 G09 G23 G26 E19 R09")
        #expect(decoded.statistics[.gsvIncomplete] == 0)
    }

    @Test func `a part of another talker with another number in view is not the next part`() {
        let decoded = decode(
            gsv("2,1,05", [1, 2, 3, 4]) + gsv("2,2,06", [69, 70], talker: "GL"))
        #expect(decoded.view == nil)
        #expect(decoded.statistics[.gsvIncomplete] == 1)
    }

    @Test func `later parts may omit the number of parts`() {
        // Airmar
        let decoded = decode(
            gsv("3,1,10", [8, 13, 18, 5]) + gsv(",2,", [7, 30, 27, 15]) + gsv(",3,", [14, 28]))
        #expect(decoded.inView == "G05 G07 G08 G13 G14 G15 G18 G27 G28 G30")
        #expect(decoded.statistics[.gsvIncomplete] == 0)
        for head in [",1,", ",2,", ",,"] {
            let alone = decode(gsv(head, [7]))
            #expect(alone.view == nil)
            #expect(alone.statistics[.gsvIncomplete] == 1)
        }
    }

    @Test func `a set numbered across signals gives each entry the signal of its sentence`() {
        let decoded = decode(gsv("2,1,02", [1], ",1") + gsv("2,2,02", [1], ",8"))
        #expect(decoded.view?.signals.map(\.signal) == [1, 8])
        #expect(decoded.view?.satellites.count == 1)
    }

    @Test func `a complete set replaces its own signal and no other`() {
        let decoded = decode(
            gsv("1,1,02", [1, 2], ",1") + gsv("1,1,01", [1], ",8") + gsv("1,1,01", [3], ",1"))
        #expect(decoded.view?.signals.map { "\($0.id)/\($0.signal)" } == ["G01/8", "G03/1"])
    }

    @Test func `lists of one talker for several systems do not replace each other`() {
        let beiDou = gsv("1,1,02", [20, 21], ",1,4", talker: "PQ")
        let qzss = gsv("1,1,01", [2], ",1,5", talker: "PQ")
        #expect(decode(beiDou + qzss).inView == "C20 C21 J02")
        let later = gsv("1,1,01", [22], ",1,4", talker: "PQ") + line("PQGSV,1,1,00,1,5")
        #expect(decode(beiDou + qzss + later).inView == "C22")
    }

    @Test func `zero satellites of a signal clear that signal only`() {
        let decoded = decode(
            gsv("1,1,01", [1], ",1") + gsv("1,1,01", [2], ",8") + line("GPGSV,1,1,00,8"))
        #expect(decoded.inView == "G01")
    }

    @Test func `the used satellites are those of all GSAs of the epoch, without repetition`() throws
    {
        let cycle = Cycle("101520.00")
        let text = [
            cycle.rmc(), line("GPGSA,A,3,05,07,,,,,,,,,,,1.9,1.0,1.6"),
            line("GNGSA,A,3,07,13,,,,,,,,,,,1.9,1.0,1.6,1"),
            line("GNGSA,A,3,66,,,,,,,,,,,,1.9,1.0,1.6,2"), gsv("1,1,02", [5, 9]),
        ]
        let decoded = decode(text.joined())
        #expect(decoded.fix.satellitesUsed == 4)
        let satellites = try #require(decoded.views.last).satellites
        #expect(satellites.map(\.isUsed) == [true, false])
    }

    @Test func `all named satellites are used, even if more than counted`() {
        let cycle = Cycle("101520.00")
        let text =
            cycle.gga(satellites: "02") + cycle.rmc() + cycle.gsa(3, "05,07,13,14,20,,,,,,,")
        #expect(decode(text).fix.satellitesUsed == 5)
        #expect(decode(cycle.gga(satellites: "09") + cycle.gsa()).fix.satellitesUsed == 9)
    }

    @Test func `a list that is not renewed is dropped, after ten seconds at the earliest`() {
        func inView(after seconds: Int) -> Int? {
            let text = Cycle("101510.00").rmc() + gsv("1,1,01", [65], talker: "GL")
            let later = (1...seconds).map { Cycle("1015\(10 + $0).00").rmc() + gsv("1,1,01", [1]) }
            return decode(text + later.joined()).fixes.last?.satellitesInView
        }
        #expect(inView(after: 9) == 2)
        #expect(inView(after: 13) == 1)
    }

    @Test func `more lists than can be tracked expire as well`() {
        let lists = [("GP", 1), ("GL", 65), ("GA", 1)].flatMap { talker, number in
            (1...11).map { signal in
                gsv(
                    "1,1,01", [number], "," + String(signal, radix: 16, uppercase: true),
                    talker: talker)
            }
        }
        let later = (11...23).map { Cycle("1015\($0).00").rmc() + lists[0] }
        let decoded = decode(Cycle("101510.00").rmc() + (lists + later).joined())
        #expect(decoded.inView == "G01")
        #expect(decoded.view?.signals.count == 1)
    }

    @Test func `a list sent every fifth second stays for five of its intervals`() {
        var text = ""
        for second in 10..<35 {
            text += Cycle("1015\(second).00").rmc() + gsv("1,1,01", [1])
            if second % 5 == 0, second <= 15 { text += gsv("1,1,01", [65], talker: "GL") }
        }
        #expect(decode(text).fixes.last?.satellitesInView == 2)
    }

    @Test func `a view comes with the fix and has the time of its last complete set`() throws {
        let decoded = decode(
            Cycle("101520.00").rmc() + gsv("1,1,01", [5]) + Cycle("101521.00").rmc()
                + Cycle("101522.00").rmc())
        let views = decoded.views
        #expect(views.map { $0.time?.time.second } == [20, 20, 20])
        #expect(views.last?.satellites.count == 1)
    }

    @Test func `a view is complete when the same list is received again or the epoch changes`() {
        let decoded = decode(
            gsv("1,1,01", [5]) + gsv("1,1,01", [65], talker: "GL") + gsv("1,1,01", [6])
                + gsv("1,1,01", [66], talker: "GL"))
        let announced = decoded.events.compactMap {
            if case .satellites(let view) = $0 { view.satellites.count } else { nil }
        }
        #expect(announced == [2, 2])
    }
}
