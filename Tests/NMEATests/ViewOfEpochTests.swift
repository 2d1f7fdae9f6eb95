// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// The epoch of a satellite view: its used satellites, DOPs and time.
@Suite(.timeLimit(.generous))
struct ViewOfEpochTests {
    /// `fix 20`, `view 20 used 4 hdop 1.0`, in the order of the events.
    private func events(_ text: String) -> [String] {
        decode(text).events.compactMap { event in
            switch event {
            case .fix(let fix): "\(fix.mode) \(Self.second(fix.time))"
            case .satellites(let view): Self.text(view)
            default: nil
            }
        }
    }

    private static func second(_ time: UTCTime?) -> String {
        time.map { "\($0.time.second)" } ?? "-"
    }

    private static func text(_ view: SatelliteView) -> String {
        let hdop = view.dilution.hdop.map { "\($0)" } ?? "-"
        return "view \(second(view.time)) used \(view.used.count) hdop \(hdop)"
    }

    private func gsa(_ numbers: [Int], _ hdop: String) -> String {
        let slots = (0..<12).map { $0 < numbers.count ? "\(numbers[$0])" : "" }
        return line("GPGSA,A,\(numbers.isEmpty ? 1 : 3),\(slots.joined(separator: ",")),,\(hdop),")
    }

    private func gga(_ clock: String, _ hdop: String, used: Int) -> String {
        line("GPGGA,\(clock),4812.50000,N,01622.42000,E,1,0\(used),\(hdop),171.4,M,43.1,M,,")
    }

    private func void(_ clock: String) -> String {
        line("GPGGA,\(clock),,,,,0,00,,,M,,M,,") + Cycle(clock).rmc("V", mode: "N")
    }

    private let lists = line("GPGSV,1,1,04,05,62,286,44,07,41,103,40,13,55,214,43,14,12,052,31")

    /// Cycles whose lists precede the sentence that completes the fix; `hdops` of seconds 20, 21…
    private func listsFirst(_ hdops: [String], _ used: [[Int]]) -> String {
        zip(hdops, used).enumerated().map { index, values in
            let cycle = Cycle("1015\(20 + index).00")
            return gga(cycle.clock, values.0, used: values.1.count) + gsa(values.1, values.0)
                + lists
                + cycle.rmc()
        }.joined()
    }

    @Test func `lists before the end of the cycle have the values of the fix they precede`() {
        let text = listsFirst(
            ["1.5", "1.6", "1.7", "7.2"],
            [[5, 7, 13, 14], [5, 7, 13, 14], [5, 7, 13, 14], [5, 7, 13]])
        #expect(
            events(text) == [
                "threeD 20", "view 20 used 4 hdop 1.5", "threeD 21", "view 21 used 4 hdop 1.6",
                "threeD 22", "view 22 used 4 hdop 1.7", "threeD 23", "view 23 used 3 hdop 7.2",
            ])
    }

    @Test func `lists after the end of the cycle have the values of the fix they follow`() {
        let text = (20..<24).map { second in
            let cycle = Cycle("1015\(second).00")
            let hdop = "1.\(second - 20)"
            return cycle.rmc() + gga(cycle.clock, hdop, used: 4) + gsa([5, 7, 13, 14], hdop) + lists
        }.joined()
        #expect(
            events(text)
                == (0..<4).flatMap { ["threeD 2\($0)", "view 2\($0) used 4 hdop 1.\($0)"] })
    }

    @Test func `the satellites used end with the fix`() {
        for lost in [void("101523.00") + gsa([], ""), void("101523.00")] {
            let text = listsFirst(
                ["1.5", "1.5", "1.5"], .init(repeating: [5, 7, 13, 14], count: 3))
            #expect(events(text + lost + lists).suffix(2) == ["noFix 23", "view 23 used 0 hdop -"])
            // If no list arrives in that second, the last one is reported again.
            #expect(
                events(text + lost + void("101524.00")).suffix(3) == [
                    "noFix 23", "view 23 used 0 hdop -", "noFix 24",
                ])
        }
    }

    @Test func `an empty GSA does not clear the satellites of another GSA`() {
        let text = (20..<23).map { second in
            let cycle = Cycle("1015\(second).00")
            return cycle.rmc() + cycle.gga() + gsa([5, 7, 13], "1.0")
                + line("GLGSA,A,3,,,,,,,,,,,,,,1.0,") + lists
        }.joined()
        #expect(events(text).last == "view 22 used 3 hdop 1.0")
    }

    @Test func `a fix without satellite numbers does not use those of the previous fix`() {
        let empty = Cycle("101523.00")
        let text =
            listsFirst(["1.5", "1.5", "1.5"], .init(repeating: [5, 7, 13, 14], count: 3))
            + empty.gga() + line("GPGSA,A,3,,,,,,,,,,,,,,,") + lists + empty.rmc()
        #expect(events(text).suffix(2) == ["threeD 23", "view 23 used 0 hdop 1.0"])
    }

    @Test func `used satellites that are sent every few seconds are kept in between`() {
        let between = Cycle("101523.00")
        let text =
            listsFirst(["1.5", "1.5", "1.5"], .init(repeating: [5, 7, 13, 14], count: 3))
            + gga(between.clock, "1.8", used: 4) + lists + between.rmc()
        #expect(events(text).suffix(2) == ["threeD 23", "view 23 used 4 hdop 1.8"])
    }

    @Test func `a fix without dimensions has the satellites that it names`() {
        // u-blox 4 names satellites before it has a fix.
        let text = (20..<23).map { second in
            void("1015\(second).00") + line("GPGSA,A,1,05,07,13,,,,,,,,,,9.98,9.93,1.00") + lists
        }.joined()
        #expect(events(text).last == "view 22 used 3 hdop 9.93")
    }

    @Test func `after a silence lists wait for the fix that they precede`() {
        var decoder = NMEADecoder()
        var events: [String] = []
        func take(_ event: borrowing DecoderEvent) {
            switch event {
            case .fix(let fix, let view):
                events.append("fix \(fix.dilution.hdop ?? 0) \(view.used.count)")
            case .satellites(let view): events.append(Self.text(view))
            default: break
            }
        }
        for (second, hdop) in zip(20..<23, ["1.5", "1.6", "1.7"]) {
            let cycle = Cycle("1015\(second).00")
            decoder.push((gsa([5, 7], hdop) + lists).bytes.span) { take($0) }
            decoder.push((cycle.rmc() + gga(cycle.clock, hdop, used: 2)).bytes.span) { take($0) }
            #expect(decoder.silenceTolerance != nil)
            decoder.silence { take($0) }
        }
        #expect(
            events.suffix(4) == [
                "fix 1.6 2", "view 21 used 2 hdop 1.6", "fix 1.7 2", "view 22 used 2 hdop 1.7",
            ])
    }

    @Test func `lists expire on a live line whose cycles begin without a time`() {
        var decoder = NMEADecoder()
        var satellites: [String] = []
        func take(_ event: DecoderEvent) {
            guard case .satellites(let view) = event else { return }
            satellites = view.satellites.map { "\($0.id)" }
        }
        for (index, cycle) in Cycle.run(20).enumerated() {
            let glonass = index == 0 ? line("GLGSV,1,1,01,65,62,286,44") : ""
            decoder.push((cycle.vtg() + cycle.rmc() + glonass + lists).bytes.span) { take($0) }
            decoder.silence { take($0) }
        }
        #expect(satellites == ["G05", "G07", "G13", "G14"])
    }

    @Test func `a view that no fix follows is reported by silence`() {
        var bench = NMEADecoder()
        var count = 0
        bench.push((Cycle("101520.00").rmc() + lists).bytes.span) { _ in }
        bench.silence { _ in }
        bench.push(lists.bytes.span) { if case .satellites = $0 { count += 1 } }
        #expect(count == 0)
        #expect(bench.awaitsSilence)
        bench.silence { if case .satellites = $0 { count += 1 } }
        #expect(count == 1)
        #expect(bench.silenceTolerance == nil)
    }

    @Test func `after the port was reopened no satellite is used until a fix names them`() {
        var decoder = NMEADecoder()
        decoder.push(
            listsFirst(["1.5", "1.5", "1.5"], .init(repeating: [5, 7], count: 3)).bytes.span
        ) { _ in }
        decoder.restart { _ in }
        var views: [String] = []
        decoder.push(lists.bytes.span) {
            if case .satellites(let view) = $0 { views.append(Self.text(view)) }
        }
        decoder.silence { if case .satellites(let view) = $0 { views.append(Self.text(view)) } }
        #expect(views == ["view - used 0 hdop -"])
    }

    @Test func `reopening the port removes the satellites of the previous receiver`() {
        var decoder = NMEADecoder()
        let glonass = line("GLGSV,1,1,01,65,62,286,44")
        decoder.push((Cycle("101520.00").rmc() + glonass + lists).bytes.span) { _ in }
        decoder.silence { _ in }
        decoder.restart { _ in }
        var views: [[String]] = []
        decoder.push(lists.bytes.span) { _ in }
        decoder.silence {
            if case .satellites(let view) = $0 { views.append(view.satellites.map { "\($0.id)" }) }
        }
        #expect(views == [["G05", "G07", "G13", "G14"]])
    }

    @Test func `after the port was reopened a fix uses no satellites of the previous receiver`() {
        var decoder = NMEADecoder()
        decoder.push(listsFirst(["1.5", "1.5"], [[5, 7], [5, 7]]).bytes.span) { _ in }
        decoder.silence { _ in }
        decoder.restart { _ in }
        var views: [String] = []
        decoder.push((Cycle("101530.00").rmc() + lists).bytes.span) { _ in }
        decoder.silence { if case .satellites(let view) = $0 { views.append(Self.text(view)) } }
        #expect(views == ["view 30 used 0 hdop -"])
    }
}
