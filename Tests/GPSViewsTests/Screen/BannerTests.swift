// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSTestTraits
import GPSViews
import NMEA
import Testing

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

    @Test func `a receiver that is outvoted is named first, in reverse`() {
        var model = open()
        var new = fix()
        var vote = Vote(state: .agreed, winner: "bow", witnesses: ["aft"], disagreeing: ["mast"])
        vote.causes = ["503 m away"]
        new.vote = vote
        model.didReceive(fix: new, satellites: SatelliteView(), at: Self.after(1))
        let (text, style) = banner(model, 1.5)
        #expect(text.hasPrefix("OUTVOTED: mast (503 m away) · 3D fix"))
        #expect(style.isReversed)
        let overview = Screen.draw(
            [model], ScreenSettings(), at: Self.after(1.5), width: 100, height: 40)
        #expect(overview.text.contains("Vote       bow, confirmed by aft"))
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
