// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
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

/// The second row.
@Suite(.timeLimit(.generous))
struct BannerTests {
    private static let start = ClockReading(unix: 1_774_270_800_000_000_000, steady: 0)

    private static func after(_ seconds: Double) -> ClockReading {
        let nanoseconds = Int64(seconds * 1e9)
        return ClockReading(unix: start.unix + nanoseconds, steady: nanoseconds)
    }

    private func banner(
        _ model: ScreenModel, _ seconds: Double, _ units: Units = .metric
    ) -> (text: String, style: Style) {
        var settings = ScreenSettings()
        settings.units = units
        let canvas = Screen.draw(
            [model], settings, at: Self.after(seconds), width: 80, height: 24)
        let row = canvas.text.split(separator: "\n", omittingEmptySubsequences: false)[1]
        return (row.drop { $0 == " " }.description, canvas[0, 1].style)
    }

    private func fix(_ mode: FixMode = .threeD, _ quality: FixQuality = .autonomous) -> Fix {
        var fix = Fix()
        fix.mode = mode
        fix.quality = quality
        if mode > .noFix { fix.coordinate = Coordinate(latitude: 48, longitude: 11) }
        fix.accuracy = Accuracy(horizontal: 2.34)
        fix.satellitesUsed = 9
        return fix
    }

    private func open(_ origin: DataOrigin = .live) -> ScreenModel {
        var model = ScreenModel(name: "/dev/ttyACM0", origin: origin)
        model.opened("/dev/ttyACM0", at: Self.start)
        return model
    }

    @Test func `a good fix of a real receiver is shown without reverse`() {
        var model = open()
        model.didReceive(fix: fix(), satellites: SatelliteView(), at: Self.after(1))
        let (text, style) = banner(model, 1.5)
        #expect(text == "3D fix · satellites alone · ±2.3 m · 9 sats")
        #expect(!style.isReversed)
    }

    @Test(arguments: [
        (Vote.State.agreed, "OUTVOTED", "bow, confirmed by aft"),
        (.disputed, "DISPUTED", "bow, disputed by mast"),
    ])
    func `a receiver that is outvoted or disputed is named first, in reverse`(
        _ state: Vote.State, _ word: String, _ result: String
    ) {
        var model = open()
        var new = fix()
        var vote = Vote(state: state, winner: "bow", witnesses: ["aft"], disagreeing: ["mast"])
        vote.causes = ["503 m away"]
        new.vote = vote
        model.didReceive(fix: new, satellites: SatelliteView(), at: Self.after(1))
        let (text, style) = banner(model, 1.5)
        #expect(text.hasPrefix("\(word): mast (503 m away) · 3D fix"))
        #expect(style.isReversed)
        let overview = Screen.draw(
            [model], ScreenSettings(), at: Self.after(1.5), width: 100, height: 40)
        #expect(overview.text.contains("Vote       \(result)"))
    }

    @Test(arguments: [
        (DataOrigin.simulated, "SIMULATED"), (.replay, "REPLAY"),
    ])
    func `data that is not live is labelled first, in reverse`(
        _ origin: DataOrigin, _ label: String
    ) {
        var model = open(origin)
        model.didReceive(fix: fix(), satellites: SatelliteView(), at: Self.after(1))
        let (text, style) = banner(model, 1.5)
        #expect(text.hasPrefix(label))
        #expect(style.isReversed)
    }

    @Test func `a receiver that reports simulated fixes is labelled as simulated`() {
        var model = open()
        model.didReceive(
            fix: fix(.threeD, .simulated), satellites: SatelliteView(), at: Self.after(1))
        #expect(banner(model, 1.5).text.hasPrefix("SIMULATED"))
    }

    @Test func `a recording of a simulated receiver has both labels`() {
        var model = open(.replay)
        model.didReceive(
            fix: fix(.threeD, .simulated), satellites: SatelliteView(), at: Self.after(1))
        #expect(banner(model, 1.5).text.hasPrefix("SIMULATED · REPLAY"))
    }

    @Test func `the age of a fix is shown in seconds`() {
        var model = open()
        model.didReceive(fix: fix(), satellites: SatelliteView(), at: Self.after(1))
        #expect(!banner(model, 3.9).style.isReversed)
        let (text, style) = banner(model, 8.5)
        #expect(text.hasPrefix("FIX IS OLD (7 s)"))
        #expect(style.isReversed)
    }

    @Test func `without a fix the strongest signal is shown`() throws {
        var model = open()
        let id = try #require(SatelliteID(.gps, 5))
        let view = SatelliteView(signals: [SatelliteSignal(id: id, cn0: 23)])
        model.didReceive(fix: fix(.noFix, .invalid), satellites: view, at: Self.after(1))
        #expect(banner(model, 1.5).text == "NO FIX · 1 satellite received, the best at 23 dB-Hz")
        model.didReceive(fix: fix(.noFix, .invalid), satellites: SatelliteView(), at: Self.after(2))
        #expect(banner(model, 2.5).text == "NO FIX · no satellites in view")
    }

    @Test func `the time since the loss of a receiver is shown`() {
        var model = open()
        model.didReceive(fix: fix(), satellites: SatelliteView(), at: Self.after(1))
        model.lost(at: Self.after(2))
        let (text, style) = banner(model, 64)
        #expect(text == "RECEIVER IS GONE 00:01:02 · waiting for it to come back")
        #expect(style.isReversed)
        model.opened("/dev/ttyACM1", at: Self.after(65))
        #expect(banner(model, 65).text.hasPrefix("FIX IS OLD"))
        model.didReceive(fix: fix(), satellites: SatelliteView(), at: Self.after(66))
        #expect(!banner(model, 66.5).style.isReversed)
    }

    @Test func `a receiver that cannot be opened after its loss is still gone`() {
        var model = open()
        model.lost(at: Self.after(2))
        model.unavailable(DeviceError(.noReceiver, device: "any receiver"), at: Self.after(3))
        #expect(
            banner(model, 4).text
                == "RECEIVER IS GONE 00:00:02 · waiting for it to come back · plug one in, or run.."
        )
        model.opened("/dev/ttyACM0", at: Self.after(5))
        #expect(banner(model, 5).text == "NO MESSAGE YET")
    }

    @Test func `receivers of a vote that are gone stay so while another one is searched for`() {
        var model = open()
        model.lost(at: Self.after(2))
        let lost = ReceiverCondition.lost(DeviceError(.disconnected, device: "bow"))
        model.didReceive(.condition(.searching, after: lost), at: Self.after(3))
        #expect(
            banner(model, 4).text == "RECEIVER IS GONE 00:00:02 · waiting for it to come back")
    }

    @Test func `no receiver, no data and the end are distinguished`() {
        var model = ScreenModel(name: "any receiver", origin: .live)
        #expect(banner(model, 1).text == "WAITING FOR A RECEIVER")
        model.unavailable(DeviceError(.noReceiver, device: "any receiver"), at: Self.start)
        #expect(
            banner(model, 1).text
                == "WAITING FOR A RECEIVER · plug one in, or run gpsbridge doctor")
        model.opened("/dev/ttyACM0", at: Self.start)
        #expect(banner(model, 1).text == "NO MESSAGE YET")
        model.stream.count(sentence: Array("$GPTXT,*00".utf8), at: Self.after(1))
        #expect(banner(model, 1).text == "NO FIX YET")
        model.ended(at: Self.after(2))
        #expect(banner(model, 2).text == "END OF THE INPUT")
        var replay = ScreenModel(name: "drive.nmea", origin: .replay)
        replay.ended(at: Self.after(2))
        #expect(banner(replay, 2).text.hasSuffix("END OF THE RECORDING"))
    }

    @Test func `the receiver that is read is shown if the source has several`() {
        var model = open()
        model.didReceive(fix: fix(), satellites: SatelliteView(), at: Self.after(1))
        model.didReceive(.notice(.oneDevice("/dev/ttyACM0")), at: Self.after(1))
        #expect(banner(model, 1.5).text.hasSuffix(" · only /dev/ttyACM0 of several"))
        #expect(!banner(model, 1.5).style.isReversed)
        model.opened("/dev/ttyACM1", at: Self.after(2))
        #expect(!banner(model, 2.5).text.contains("several"))
    }

    @Test func `a lost receiver is not in an integrity alarm`() {
        var model = open()
        var suspect = fix()
        suspect.integrity = Integrity(
            state: .alarm,
            reasons: [
                Integrity.Reason(
                    test: .positionStep, value: 501, threshold: 30, unit: "m",
                    text: "moved 501 m in 1 s")
            ])
        model.didReceive(fix: suspect, satellites: SatelliteView(), at: Self.after(1))
        #expect(
            banner(model, 1.5).text.hasPrefix(
                "INTEGRITY ALARM · moved 501 m in 1 s · 3D fix"))
        model.lost(at: Self.after(2))
        #expect(banner(model, 3).text.hasPrefix("RECEIVER IS GONE 00:00:01"))
    }

    @Test func `a banner that is too long ends with two dots`() {
        var model = ScreenModel(name: "any receiver", origin: .live)
        let rest = "\(DeviceError(.ended, device: ""))".count
        for (length, shown, end) in [(54, 54, ""), (55, 52, "..")] {
            let device = String(repeating: "x", count: length - rest)
            let error = DeviceError(.ended, device: device)
            model.unavailable(error, at: Self.start)
            let reason = "\(error)".prefix(shown) + end
            #expect(banner(model, 1).text == "WAITING FOR A RECEIVER · \(reason)")
        }
    }

    @Test(arguments: [
        (Units.metric, "200 m away, the circle is 30 m"),
        (.imperial, "656 ft away, the circle is 98 ft"),
    ])
    func `a dragging anchor is shown with the present distance, in the chosen units`(
        _ units: Units, _ words: String
    ) {
        let anchor = Coordinate(latitude: 48, longitude: 11)
        var watch = Navigator.Settings()
        watch.circle = AnchorCircle(radius: 30, anchor: anchor)
        var (navigator, model, drifting) = (Navigator(watch), open(), fix())
        for second in 1...20 {
            let seconds = Double(second)
            drifting.coordinate = anchor.moved(by: seconds * 10, course: 90)
            model.navigation = navigator.receive(drifting, at: seconds, time: nil)
            model.didReceive(fix: drifting, satellites: SatelliteView(), at: Self.after(seconds))
        }
        #expect(banner(model, 20.5, units).text.hasPrefix("ANCHOR DRAGS · \(words) · 3D fix"))
    }

    @Test func `a silent receiver has no satellites, and is not called silent when it sends again`()
        throws
    {
        var model = open()
        let id = try #require(SatelliteID(.gps, 5))
        let view = SatelliteView(signals: [SatelliteSignal(id: id, cn0: 23)])
        model.didReceive(fix: fix(), satellites: view, at: Self.after(1))
        model.silent(at: Self.after(11))
        #expect(model.satellites.isEmpty)
        #expect(banner(model, 12).text == "FIX IS OLD (11 s) · no data arrives · silent")
        model.isBack(at: Self.after(13))
        model.didReceive(fix: fix(.noFix, .invalid), satellites: view, at: Self.after(13))
        #expect(!banner(model, 13.5).text.contains("silent"))
    }

    @Test func `a problem that explains a silence is shown instead, until messages arrive`() {
        var model = open()
        model.didReceive(.notice(.noSentences(bytes: 300)), at: Self.after(5))
        model.silent(at: Self.after(60))
        #expect(
            banner(model, 61).text
                == "NO MESSAGE YET · 300 bytes, but no valid sentence yet: wrong baud rate?")
        model.didReceive(
            .condition(
                .open(device: "/dev/ttyACM0", problem: nil),
                after: .silent(device: "/dev/ttyACM0", seconds: 60)), at: Self.after(62))
        #expect(banner(model, 62).text == "NO MESSAGE YET")
    }

    @Test func `a problem of the line ends when the receiver is lost`() {
        var model = open()
        model.didReceive(.notice(.tryingRate(LineSettings(.default))), at: Self.start)
        #expect(banner(model, 1).text == "NO MESSAGE YET · listening at 9600 baud")
        model.lost(at: Self.after(2))
        #expect(
            banner(model, 3).text == "RECEIVER IS GONE 00:00:01 · waiting for it to come back")
    }
}
