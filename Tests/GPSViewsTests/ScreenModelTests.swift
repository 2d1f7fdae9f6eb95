// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import GPSViews
import NMEA
import Testing

@Suite(.timeLimit(.generous))
struct ScreenModelTests {
    /// Seconds of the computer's clock.
    private func moment(_ seconds: Double) -> ClockReading {
        ClockReading(unix: 1_774_270_800_000_000_000, steady: Int64(seconds * 1e9))
    }

    private func fix(_ second: Int, altitude: Double? = nil) -> Fix {
        var fix = Fix()
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.time = UTCTime(
            unixNanoseconds: 1_774_270_800_000_000_000 + Int64(second) * 1_000_000_000)
        fix.coordinate = Coordinate(latitude: 48 + Double(second) * 1e-4, longitude: 11)
        fix.altitude = altitude
        fix.speed = 11.1
        return fix
    }

    /// A model of a source that sends a fix per second at ten times the speed.
    private func fast(_ origin: DataOrigin) -> ScreenModel {
        var model = ScreenModel(name: "a.nmea", origin: origin)
        model.opened("a.nmea", at: moment(0))
        for second in 0..<100 {
            model.didReceive(
                fix: fix(second, altitude: Double(second) * 0.5), satellites: SatelliteView(),
                at: moment(Double(second) / 10))
        }
        return model
    }

    private func row(_ label: String, _ model: ScreenModel, _ seconds: Double) -> String? {
        Screen.draw([model], ScreenSettings(), at: moment(seconds), width: 80, height: 24).text
            .split(separator: "\n").first { $0.hasPrefix(" \(label)") }
            .map { $0.prefix(38).dropFirst(12).split(separator: " ").joined(separator: " ") }
    }

    @Test func `a recording read at ten times its speed has the receiver's rate`() {
        #expect(row("Rate", fast(.replay), 10) == "1.00 Hz")
        #expect(row("Rate", fast(.live), 10) == "10.00 Hz")
    }

    @Test func `the rate does not include the time during which the machine was suspended`() {
        var model = fast(.live)
        for (index, second) in [30_000.0, 30_000.1, 30_000.2].enumerated() {
            model.didReceive(
                fix: fix(3000 + index), satellites: SatelliteView(), at: moment(second))
        }
        #expect(row("Rate", model, 30_000.2) == "10.00 Hz")
    }

    @Test func `the duration of a recording's fix follows the recording and stops at its end`() {
        var model = fast(.replay)
        #expect(row("Held for", model, 10) == "00:01:39")
        model.ended(at: moment(10))
        #expect(row("Held for", model, 500) == "00:01:39")
    }

    @Test func `a value that an instrument marks as invalid is no longer shown`() {
        func text(_ model: ScreenModel) -> String {
            Screen.draw([model], ScreenSettings(), at: moment(11), width: 80, height: 60).text
        }
        var model = fast(.live)
        var new = fix(101)
        new.instruments[.engineSpeed] = 2418
        model.didReceive(fix: new, satellites: SatelliteView(), at: moment(10.1))
        #expect(text(model).contains("2418 rpm"))
        new.instruments.invalidate(.engineSpeed)
        model.didReceive(fix: new, satellites: SatelliteView(), at: moment(10.2))
        #expect(!text(model).contains("2418 rpm"))
    }

    @Test func `counters stop at the end of a stream`() {
        var model = fast(.live)
        model.ended(at: moment(10))
        #expect(row("Held for", model, 11) == "00:00:10")
        for label in ["Held for", "Latency", "Rate", "Clock"] {
            #expect(row(label, model, 11) == row(label, model, 3600))
        }
    }

    @Test(arguments: [DataOrigin.live, .replay, .simulated])
    func `the duration of a track is right if the first fix has no date`(
        _ origin: DataOrigin
    ) {
        var model = ScreenModel(name: "x", origin: origin)
        model.opened("x", at: moment(0))
        for second in 0..<5 {
            var fix = fix(second)
            fix.timeOfDay = fix.time?.time
            if second < 2 { fix.time = nil }
            model.didReceive(fix: fix, satellites: SatelliteView(), at: moment(Double(second)))
        }
        var settings = ScreenSettings()
        settings.page = .track
        let text = Screen.draw([model], settings, at: moment(4), width: 80, height: 24).text
        #expect(text.contains("last 4 s"), "\(text)")
        #expect(model.track.points.count == 5)
        #expect(model.track.points.map(\.seconds) == [0, 1, 2, 3, 4])
    }

    @Test func `the track covers the last ten minutes`() {
        var model = ScreenModel(name: "x", origin: .live)
        model.opened("x", at: moment(0))
        for second in 0..<700 {
            model.didReceive(
                fix: fix(second), satellites: SatelliteView(), at: moment(Double(second)))
        }
        var settings = ScreenSettings()
        settings.page = .track
        let text = Screen.draw([model], settings, at: moment(700), width: 80, height: 24).text
        #expect(text.contains("last 10 minutes"), "\(text)")
    }

    @Test func `the climb is measured over the last seconds`() {
        #expect(row("Speed", fast(.replay), 10) == "40.0 km/h ↑ 0.5 m/s")
        var falling = ScreenModel(name: "x", origin: .live)
        falling.opened("x", at: moment(0))
        for second in 0..<20 {
            falling.didReceive(
                fix: fix(second, altitude: -2 * Double(second)), satellites: SatelliteView(),
                at: moment(Double(second)))
        }
        #expect(row("Speed", falling, 20) == "40.0 km/h ↓ 2.0 m/s")
    }

    @Test func `magnetic course, variation and the age of corrections are shown`() throws {
        var model = ScreenModel(name: "x", origin: .live)
        model.opened("x", at: moment(0))
        var fix = fix(0)
        fix.course = 2
        fix.magneticVariation = 4.2
        fix.correctionAge = 3.25
        fix.correctionStation = 120
        model.didReceive(fix: fix, satellites: SatelliteView(), at: moment(0))
        #expect(row("Course", model, 0) == "2.0 ° ↑ N 358° M")
        let text = Screen.draw(
            [model], ScreenSettings(), at: moment(0), width: 120, height: 40
        ).text
        #expect(text.contains("Variation       4.2 °    east"))
        #expect(text.contains("Corrected  3.3 s ago, station 120"))
        #expect(try #require(row("Quality", model, 0)).hasSuffix(" 3 s"))
    }

    @Test func `the trip has the same values as the summary of convert`() {
        var settings = ScreenSettings()
        settings.page = .track
        let text = Screen.draw(
            [fast(.replay)], settings, at: moment(10), width: 120, height: 40
        ).text
        for figure in [
            "duration       0:01:39", "moving         0:01:39", "distance       1.099 km",
            "average speed  40.0 km/h", "maximum speed  40.0 km/h", "climb          49.5 m",
        ] {
            #expect(text.contains(figure), "\(figure)")
        }
    }

    @Test func `a recording is marked, and a message replaces the keys`() {
        var settings = ScreenSettings()
        settings.isRecording = true
        settings.message = "the disk is full"
        let text = Screen.draw(
            [fast(.live)], settings, at: moment(10), width: 80, height: 24
        ).text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first?.contains(" REC ") == true)
        #expect(lines.contains { $0.hasPrefix(" the disk is full") })
        #expect(!text.contains("q quit"))
    }

    @Test(arguments: [(80, true), (55, false)])
    func `the title has the address of the page, if there is room for it`(
        _ width: Int, _ isShown: Bool
    ) {
        var settings = ScreenSettings()
        settings.pageAddress = "http://localhost:8080/"
        settings.isRecording = true
        let text = Screen.draw(
            [fast(.live)], settings, at: moment(10), width: width, height: 24
        ).text
        let title = text.split(separator: "\n").first ?? ""
        #expect(title.contains(" http://localhost:8080/ ") == isShown)
        #expect(title.contains(" REC "))
    }

    @Test func `rejected sentences are shown with their reason`() {
        var model = ScreenModel(name: "x", origin: .live)
        model.opened("x", at: moment(0))
        let bytes = Array("noise $GPGGA,1,2*00\r\n$GPTXT,a\r\n".utf8)
        model.stream.note(Array(bytes.prefix(9)))
        model.stream.note(Array(bytes.dropFirst(9)))
        for (reason, offset) in [(Rejection.Reason.badChecksum, 6), (.noChecksum, 21)] {
            model.stream.count(Rejection(reason: reason, offset: offset), at: moment(0))
        }
        // A rejection whose bytes are no longer stored.
        model.stream.count(Rejection(reason: .truncated, offset: 1_000_000), at: moment(0))
        var settings = ScreenSettings()
        settings.page = .sentences
        let text = Screen.draw([model], settings, at: moment(0), width: 80, height: 24).text
        #expect(text.contains("bad checksum: $GPGGA,1,2*00"))
        #expect(text.contains("no checksum: $GPTXT,a"))
        #expect(text.contains(" cut off\n"))
    }

    @Test func `a sentence with too few fields is shown once`() {
        var model = ScreenModel(name: "x", origin: .live)
        let sentence = Array("$GPGGA,1*4B".utf8)
        model.stream.note(sentence + [0x0D, 0x0A])
        model.stream.count(sentence: sentence, at: moment(0))
        model.stream.count(Rejection(reason: .tooFewFields, offset: 0), at: moment(0))
        #expect(model.stream.lines.count == 1)
        #expect(model.stream.lines[0].rejection == .tooFewFields)
    }
}

@Suite(.timeLimit(.generous))
struct KeyTests {
    @Test(
        arguments: [
            ("q", [.character("q")]), ("pu", [.character("p"), .character("u")]), ("\t", [.tab]),
            ("\u{1B}[C\u{1B}OD", [.right, .left]), ("\u{1B}[1;5A", [.up]), ("\u{C}", [.redraw]),
            ("\u{1B}[15~v", [.character("v")]), ("\u{1B}", [.other]), ("\n", [.other]),
            ("\u{1B}[", []), ("\u{1B}[1", []),
            ("\u{1B}[5~\u{1B}[6;2~", [.pageUp, .pageDown]), ("\u{1B}[H\u{1B}OF", [.home, .end]),
            ("\u{1B}[1~\u{1B}[4~\u{1B}[3~", [.home, .end]), ("ü?", [.character("?")]), ("", []),
        ] as [(String, [Key])])
    func `keys are parsed, and other input is ignored`(_ text: String, _ keys: [Key]) {
        #expect(Key.keys(in: Array(text.utf8)) == keys)
    }

    @Test func `any sequence of bytes is parsed without a trap`() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max { _ = Key.keys(in: [0x1B, first, second]) }
        }
    }
}
