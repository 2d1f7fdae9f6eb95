// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import GPSViews
import NMEA
import Testing

@Suite(.timeLimit(.generous))
struct ScreenTests {
    @Test func `every size is drawn, with all values and with none`() {
        var receiver = SeededReceiver()
        receiver.watch(20)
        let empty = ScreenModel(name: "any receiver", origin: .live)
        for page in ScreenSettings.Page.allCases {
            var settings = ScreenSettings()
            settings.page = page
            for width in stride(from: 0, through: 240, by: 24) {
                for height in [0, 1, 2, 3, 5, 9, 10, 17, 24, 33, 70] {
                    for model in [receiver.model, empty] {
                        let canvas = Screen.draw(
                            [model], settings, at: receiver.now, width: width, height: height)
                        #expect(canvas.width == width && canvas.height == height)
                    }
                }
            }
        }
    }

    @Test func `impossible values do not trap`() {
        for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300, -0.0] {
            var fix = Fix()
            fix.mode = .threeD
            fix.coordinate = Coordinate(latitude: value, longitude: value)
            (fix.altitude, fix.ellipsoidalAltitude, fix.speed) = (value, value, value)
            (fix.course, fix.geoidSeparation) = (value, value)
            fix.accuracy = Accuracy(horizontal: value, vertical: value)
            fix.dilution = DilutionOfPrecision(hdop: value, vdop: value, pdop: value)
            var model = ScreenModel(name: "", origin: .live)
            for step in [0, 1, Int64.max, .min] {
                let moment = ClockReading(unix: step, steady: step)
                model.opened("", at: moment)
                model.didReceive(fix: fix, satellites: SatelliteView(), at: moment)
                for notation in PositionNotation.allCases {
                    var settings = ScreenSettings()
                    settings.notation = notation
                    _ = Screen.draw([model], settings, at: moment, width: 130, height: 50)
                }
            }
        }
    }

    @Test func `the memory of the model is bounded`() {
        var model = ScreenModel(name: "x", origin: .live)
        var fix = Fix()
        fix.mode = .threeD
        for index in 0..<50_000 {
            let moment = ClockReading(
                unix: Int64(index) * 100_000_000, steady: Int64(index) * 100_000_000)
            fix.coordinate = Coordinate(latitude: 48 + Double(index) * 1e-6, longitude: 11)
            model.didReceive(fix: fix, satellites: SatelliteView(), at: moment)
            model.stream.count(sentence: Array("$G\(index),1*00".utf8), at: moment)
            model.stream.count(Rejection(reason: .badChecksum, offset: index), at: moment)
        }
        #expect(model.track.points.count <= 1300)
        #expect(model.stream.lines.count <= 500)
        #expect(model.stream.mix.count <= 40)
        #expect(model.stream.sentences == 50_000)
        #expect(model.stream.rejected == 50_000)
    }

    @Test(arguments: [40, 80, 120], [4, 5, 8, 9, 10, 11])
    func `the position comes first on a low screen`(_ width: Int, _ height: Int) {
        var receiver = SeededReceiver()
        receiver.watch(10)
        let text = Screen.draw(
            [receiver.model], ScreenSettings(), at: receiver.now, width: width, height: height
        ).text
        #expect(text.contains("48.13"), "\(text)")
        if height > 7 { #expect(text.contains("Altitude") && text.contains("Speed"), "\(text)") }
    }

    @Test func `reasons of rejections are shown completely or not at all`() {
        var model = ScreenModel(name: "x", origin: .live)
        let moment = ClockReading(unix: 0, steady: 0)
        model.opened("x", at: moment)
        for (reason, count) in [
            (Rejection.Reason.badChecksum, 1234), (.noChecksum, 567), (.truncated, 89),
        ] {
            for index in 0..<count {
                model.stream.count(Rejection(reason: reason, offset: index), at: moment)
            }
        }
        let text = Screen.draw([model], ScreenSettings(), at: moment, width: 80, height: 24).text
        #expect(text.contains("Rejected   1890: bad checksum 1234\n"), "\(text)")
        let wide = Screen.draw([model], ScreenSettings(), at: moment, width: 70, height: 40).text
        #expect(wide.contains("1890: bad checksum 1234, no checksum 567, cut off 89"), "\(wide)")
    }

    @Test func `an accuracy of centimetres is shown with decimals`() {
        var model = ScreenModel(name: "x", origin: .live)
        let moment = ClockReading(unix: 0, steady: 0)
        model.opened("x", at: moment)
        var fix = Fix()
        (fix.mode, fix.quality) = (.threeD, .rtkFixed)
        fix.coordinate = Coordinate(latitude: 48, longitude: 11)
        fix.accuracy = Accuracy(horizontal: 0.014, vertical: 0.21)
        model.didReceive(fix: fix, satellites: SatelliteView(), at: moment)
        let text = Screen.draw([model], ScreenSettings(), at: moment, width: 80, height: 24).text
        #expect(text.contains("±0.014 m, height ±0.21 m"), "\(text)")
        #expect(!text.contains("±0.0 "))
    }

    @Test(arguments: [
        (-0.04, "  0.0 m/s"), (0.04, "  0.0 m/s"), (-0.0, "  0.0 m/s"), (-0.05, "↓ 0.1 m/s"),
        (0.05, "↑ 0.1 m/s"),
    ])
    func `a climb that is rounded to zero has no arrow`(_ climb: Double, _ shown: String) {
        var fix = Fix()
        (fix.mode, fix.speed, fix.climb) = (.threeD, 1, climb)
        fix.coordinate = Coordinate(latitude: 48, longitude: 11)
        let row = drawn(fix).split(separator: "\n").first { $0.contains("Speed") } ?? ""
        #expect(row.contains("3.6 km/h \(shown)"), "\(row)")
    }

    @Test(arguments: [(-0.04, ""), (0.04, ""), (-0.05, "west"), (0.05, "east")])
    func `a variation that is rounded to zero is neither east nor west`(
        _ variation: Double, _ word: String
    ) {
        var fix = Fix()
        (fix.mode, fix.course, fix.magneticVariation) = (.threeD, 90, variation)
        fix.coordinate = Coordinate(latitude: 48, longitude: 11)
        let row = drawn(fix).split(separator: "\n").first { $0.contains("Variation") } ?? ""
        let words = row.split(separator: " ").filter { ["east", "west"].contains($0) }
        #expect(words.joined() == word, "\(row)")
    }

    private func drawn(_ fix: Fix) -> String {
        var model = ScreenModel(name: "x", origin: .live)
        let moment = ClockReading(unix: 0, steady: 0)
        model.opened("x", at: moment)
        model.didReceive(fix: fix, satellites: SatelliteView(), at: moment)
        return Screen.draw([model], ScreenSettings(), at: moment, width: 80, height: 40).text
    }

    @Test func `the note on another reader stays on the screen`() {
        var receiver = SeededReceiver(origin: .live)
        receiver.watch(2)
        receiver.share()
        receiver.watch(5)
        let text = Screen.draw(
            [receiver.model], ScreenSettings(), at: receiver.now, width: 80, height: 24
        ).text
        #expect(text.contains("is also read by gpsd"), "\(text)")
    }

    @Test func `columns do not move when figures change`() {
        var receiver = SeededReceiver()
        receiver.watch(10)
        var places: Set<Int> = []
        for _ in 0..<30 {
            receiver.watch(1)
            let text = Screen.draw(
                [receiver.model], ScreenSettings(), at: receiver.now, width: 80, height: 24
            ).text
            for line in text.split(separator: "\n") where line.contains("Speed") {
                places.insert(
                    line.firstIndex(of: "k").map { line.distance(from: line.startIndex, to: $0) }
                        ?? -1)
            }
        }
        #expect(places.count == 1)
    }

    @Test(arguments: [(80, 24), (80, 10), (40, 10), (120, 40), (60, 12), (80, 9), (80, 8)])
    func `every panel with a heading has content`(_ width: Int, _ height: Int) {
        var receiver = SeededReceiver()
        receiver.watch(20)
        for page in ScreenSettings.Page.allCases {
            var settings = ScreenSettings()
            settings.page = page
            let canvas = Screen.draw(
                [receiver.model], settings, at: receiver.now, width: width, height: height)
            for x in 0..<width where canvas[x, 2].character == "─" {
                let isEmpty = (3..<height - 1).allSatisfy { y in
                    (max(0, x - 40)..<min(width, x + 40)).allSatisfy {
                        canvas[$0, y].character == " "
                    }
                }
                #expect(!isEmpty, "\(page) at \(width)x\(height), column \(x)")
            }
        }
    }

    @Test func `the row of tabs follows the selected one`() {
        let names = (0..<10).map { "/dev/serial/by-id/usb-u-blox_AG_receiver_\($0)-if00" }
        let models = names.map { ScreenModel(name: $0, origin: .live) }
        let now = ClockReading(unix: 0, steady: 0)
        for width in [40, 80, 200] {
            for selected in names.indices {
                var settings = ScreenSettings()
                settings.selected = selected
                let text = Screen.draw(models, settings, at: now, width: width, height: 24).text
                let title = text.prefix { $0 != "\n" }
                #expect(title.contains("[\(selected + 1):"), "\(title)")
                #expect(title.contains("iver_\(selected)-if00]") || width < 200, "\(title)")
                #expect(title.count <= width)
                #expect(selected == 0 || title.contains("<") || title.contains(" 1:"))
                #expect(selected == 9 || title.contains(">") || title.contains(" 10:"))
            }
        }
    }

    @Test func `names are shown with control characters replaced by question marks`() {
        let model = ScreenModel(name: "трек Übung \u{1B}[31m\u{202E}\u{FFFD}", origin: .replay)
        let now = ClockReading(unix: 0, steady: 0)
        let text = Screen.draw([model], ScreenSettings(), at: now, width: 80, height: 24).text
        #expect(text.contains("трек Übung ?[31m??"))
    }

    @Test func `each of several receivers has a tab`() {
        let models = ["/dev/ttyACM0", "/dev/ttyUSB0"].map { ScreenModel(name: $0, origin: .live) }
        var settings = ScreenSettings()
        settings.selected = 1
        let now = ClockReading(unix: 0, steady: 0)
        let title = Screen.draw(models, settings, at: now, width: 80, height: 24).text.prefix(80)
        #expect(title.contains(" 1:/dev/ttyACM0 [2:/dev/ttyUSB0]"))
    }

    @Test(arguments: [
        (48.20575, "48° 12.345′ N"), (-59.9999999, "60° 00.000′ S"), (0, "0° 00.000′ N"),
    ])
    func `degrees and decimal minutes are written as on charts`(_ degrees: Double, _ text: String) {
        #expect(AngleText.minutes(degrees, ("N", "S"), Glyphs(isASCII: false)) == text)
    }

    @Test(arguments: [(59.9999999, "60°00'00.000\" N"), (-0.00000001, "0°00'00.000\" S")])
    func `minutes and seconds are never sixty`(_ degrees: Double, _ text: String) {
        let glyphs = Glyphs(isASCII: false)
        #expect(AngleText.sexagesimal(degrees, ("N", "S"), glyphs) == text)
    }
}
