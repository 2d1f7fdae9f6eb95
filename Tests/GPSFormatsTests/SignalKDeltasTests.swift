// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct SignalKDeltasTests {
    private let now = MonotonicInstant.now
    private static let time = UTCTime(iso8601: "2026-03-21T12:00:00Z")

    private static var fix: Fix {
        var fix = Fix()
        fix.time = time
        fix.mode = .threeD
        fix.quality = .rtkFixed
        fix.coordinate = Coordinate(latitude: 48.2, longitude: -16.36)
        fix.altitude = 171.25
        fix.speed = 2.5
        fix.course = 180
        fix.satellitesUsed = 12
        fix.magneticVariation = -4
        return fix
    }

    private static func text(_ line: [UInt8]?) -> String {
        line.map { String(decoding: $0, as: UTF8.self) } ?? "none"
    }

    @Test func `a fix has SI units, radians, a time and its source`() {
        var reports = SignalKDeltas(receiver: "/dev/ttyUSB0", origin: .live, vessel: "vessels.x")
        let text = Self.text(reports.delta(of: Self.fix, time: nil, now: now))
        #expect(
            text.hasPrefix(
                #"{"context":"vessels.x","updates":[{"$source":"gpsbridge.dev-ttyUSB0","#
                    + #""timestamp":"2026-03-21T12:00:00.000Z","values":[{"path":"#
                    + #""navigation.position","value":{"latitude":48.2,"longitude":-16.36,"#
                    + #""altitude":171.25}},{"path":"navigation.speedOverGround","value":2.5},"#
                    + #"{"path":"navigation.courseOverGroundTrue","value":3.141593},"#))
        #expect(text.contains(#"{"path":"navigation.magneticVariation","value":-0.069813}"#))
        #expect(text.contains(#""navigation.gnss.methodQuality","value":"RTK fixed integer""#))
        #expect(text.contains(#"{"path":"navigation.gnss.satellites","value":12}"#))
        #expect(!text.contains("null"))
        #expect(text.hasSuffix("}]}]}\n"))
    }

    @Test func `whole degrees have a decimal point, which OpenCPN needs`() {
        var reports = SignalKDeltas(receiver: "a", origin: .live, vessel: "vessels.x")
        var fix = Self.fix
        fix.coordinate = Coordinate(latitude: 48, longitude: -16)
        let text = Self.text(reports.delta(of: fix, time: nil, now: now))
        #expect(text.contains(#"{"latitude":48.0,"longitude":-16.0,"altitude":171.25}"#))
    }

    @Test func `a lost fix is null once`() {
        var reports = SignalKDeltas(receiver: "a", origin: .live, vessel: "vessels.x")
        _ = reports.delta(of: Self.fix, time: nil, now: now)
        let lost = Self.text(reports.delta(of: Fix(), time: Self.time, now: now))
        for path in ["position", "speedOverGround", "courseOverGroundTrue", "gnss.satellites"] {
            #expect(lost.contains(#"{"path":"navigation.\#(path)","value":null}"#))
        }
        #expect(lost.contains(#""navigation.gnss.methodQuality","value":"no GPS""#))
        let again = Self.text(reports.delta(of: Fix(), time: Self.time, now: now))
        #expect(!again.contains("null"))
    }

    @Test func `an old position of a receiver without a fix is not sent`() {
        var reports = SignalKDeltas(receiver: "a", origin: .live, vessel: "vessels.x")
        var fix = Self.fix
        fix.mode = .noFix
        let text = Self.text(reports.delta(of: fix, time: nil, now: now))
        #expect(!text.contains("navigation.position"))
        #expect(!text.contains("navigation.speedOverGround"))
    }

    @Test func `the end of a receiver makes everything null`() {
        var reports = SignalKDeltas(receiver: "a", origin: .live, vessel: "vessels.x")
        #expect(reports.lost(time: nil) == nil)
        _ = reports.delta(of: Self.fix, time: nil, now: now)
        let text = Self.text(reports.lost(time: Self.time))
        #expect(text.contains(#"{"path":"navigation.position","value":null}"#))
        #expect(reports.lost(time: nil) == nil)
    }

    @Test(arguments: [
        (DataOrigin.simulated, "gpsbridge.simulated.a-b"), (.replay, "gpsbridge.replay.a-b"),
        (.live, "gpsbridge.a-b"),
    ])
    func `the source shows what is simulated or replayed`(
        _ origin: DataOrigin, _ source: String
    ) {
        var reports = SignalKDeltas(receiver: "a.b", origin: origin, vessel: "vessels.x")
        let text = Self.text(reports.delta(of: Self.fix, time: nil, now: now))
        #expect(text.contains("\"$source\":\"\(source)\""))
        #expect(text.contains("Simulator mode") == (origin == .simulated))
    }

    @Test(arguments: [
        ("$SDDPT,7.9,-1.2,50.0*40", #""environment.depth.belowKeel","value":6.7"#),
        ("$SDDBT,16.4,f,5.0,M,2.7,F*35", #""environment.depth.belowTransducer","value":5}"#),
        ("$HCHDG,98.3,1.5,W,4.6,E*64", #""navigation.magneticVariation","value":0.080285}"#),
        ("$SDDBK,12.5,f,3.8,M,2.1,F*27", #""environment.depth.belowKeel","value":3.8}"#),
        ("$SDDBS,12.5,f,3.8,M,2.1,F*3F", #""environment.depth.belowSurface","value":3.8}"#),
        ("$WIVWT,30.8,L,4.3,N,2.2,M,8.0,K*7B", #"wind.angleTrueWater","value":-0.537561"#),
        ("$WIVWR,30.8,L,4.3,N,2.2,M,8.0,K*7D", #"wind.angleApparent","value":-0.537561"#),
        ("$WIVWR,30.8,L,4.3,N,2.2,M,8.0,K*7D", #"wind.speedApparent","value":2.21}"#),
        ("$WIMWV,214.8,R,10.1,N,A*1C", #""environment.wind.angleApparent","value":-2.534218"#),
        ("$WIMWV,214.8,R,10.1,N,A*1C", #""environment.wind.speedApparent","value":5.2}"#),
        ("$IIMTW,17.5,C*10", #""environment.water.temperature","value":290.65}"#),
        ("$WIMWD,302.5,T,299.0,M,14.2,N,7.3,M*6F", #"wind.directionTrue","value":5.279621"#),
        ("$WIMWD,302.5,T,299.0,M,14.2,N,7.3,M*6F", #"wind.speedTrue","value":7.3}"#),
    ])
    func `instruments are read from their sentences`(_ sentence: String, _ value: String) {
        var reports = SignalKDeltas(receiver: "a", origin: .live, vessel: "vessels.x")
        let line = reports.delta(ofSentence: Array(sentence.utf8), time: Self.time, now: now)
        #expect(Self.text(line).contains(value), "\(Self.text(line))")
    }

    @Test(arguments: ["$SDDPT,7.9,,50.0*40", "$SDDPT,7.9,0.0,50.0*6E"])
    func `a depth without an offset does not clear the depths of other sentences`(dpt: String) {
        var reports = SignalKDeltas(receiver: "a", origin: .live, vessel: "vessels.x")
        _ = reports.delta(
            ofSentence: Array("$SDDBK,12.5,f,3.8,M,2.1,F*27".utf8), time: nil, now: now)
        let line = Self.text(reports.delta(ofSentence: Array(dpt.utf8), time: nil, now: now))
        #expect(line.contains("belowTransducer") && !line.contains("null"), "\(line)")
    }

    @Test func `an invalid MWV clears the true wind speed of MWV, but not that of MWD`() {
        var reports = SignalKDeltas(receiver: "a", origin: .live, vessel: "vessels.x")
        func text(_ sentence: String) -> String {
            Self.text(reports.delta(ofSentence: Array(sentence.utf8), time: nil, now: now))
        }
        let invalid = "$WIMWV,,T,,N,V*32"
        let cleared = #"{"path":"environment.wind.speedTrue","value":null}"#
        #expect(text("$WIMWD,302.5,T,299.0,M,14.2,N,7.3,M*6F").contains("speedTrue"))
        #expect(!text(invalid).contains("speedTrue"))
        #expect(text("$WIMWV,90.0,T,7.0,M,A*18").contains("speedTrue"))
        #expect(text(invalid).contains(cleared))
    }

    @Test func `the variation of the receiver has precedence over that of a compass`() {
        var reports = SignalKDeltas(receiver: "a", origin: .live, vessel: "vessels.x")
        let compass = Array("$HCHDG,98.3,1.5,W,4.6,E*64".utf8)
        #expect(reports.delta(ofSentence: compass, time: nil, now: now) != nil)
        var fix = Self.fix
        fix.magneticVariation = 180
        let line = Self.text(reports.delta(of: fix, time: nil, now: now))
        #expect(line.contains(#""navigation.magneticVariation","value":3.141593}"#))
        #expect(reports.delta(ofSentence: compass, time: nil, now: now) == nil)
        let late = Self.text(reports.delta(of: fix, time: nil, now: now + .seconds(11)))
        #expect(!late.contains(#""navigation.magneticVariation","value":null"#))
    }

    @Test func `an instrument that falls silent is null`() {
        var reports = SignalKDeltas(receiver: "a", origin: .live, vessel: "vessels.x")
        _ = reports.delta(ofSentence: Array("$IIMTW,17.5,C*10".utf8), time: nil, now: now)
        let early = reports.delta(of: Self.fix, time: nil, now: now + .seconds(9))
        #expect(!Self.text(early).contains("temperature"))
        let late = reports.delta(of: Self.fix, time: nil, now: now + .seconds(11))
        #expect(
            Self.text(late).contains(#"{"path":"environment.water.temperature","value":null}"#))
    }

    @Test func `a heading of a compass that is slower than the receiver is not lost`() {
        var reports = SignalKDeltas(receiver: "a", origin: .live, vessel: "vessels.x")
        var turning = Self.fix
        turning.attitude.heading = 180
        let first = Self.text(reports.delta(of: turning, time: nil, now: now))
        #expect(first.contains(#"{"path":"navigation.headingTrue","value":3.141593}"#))
        let next = reports.delta(of: Self.fix, time: nil, now: now + .seconds(1))
        #expect(!Self.text(next).contains("null"))
        let late = reports.delta(of: Self.fix, time: nil, now: now + .seconds(11))
        #expect(Self.text(late).contains(#"{"path":"navigation.headingTrue","value":null}"#))
    }

    @Test func `the satellites of a receiver are lost, even if a compass continues to send`() {
        var reports = SignalKDeltas(receiver: "a", origin: .live, vessel: "vessels.x")
        _ = reports.delta(of: Self.fix, time: nil, now: now)
        var compass = Fix()
        compass.attitude.heading = 180
        _ = reports.delta(of: compass, time: nil, now: now)
        let lost = Self.text(reports.lost(time: nil))
        #expect(lost.contains(#"{"path":"navigation.gnss.satellites","value":null}"#))
    }

    @Test func `an instrument that falls silent is null, even where no fix is received`() {
        var reports = SignalKDeltas(receiver: "a", origin: .live, vessel: "vessels.x")
        _ = reports.delta(ofSentence: Array("$IIMTW,17.5,C*10".utf8), time: nil, now: now)
        let depth = Array("$SDDPT,7.9,-1.2,50.0*40".utf8)
        let line = reports.delta(ofSentence: depth, time: nil, now: now + .seconds(11))
        #expect(
            Self.text(line).contains(#"{"path":"environment.water.temperature","value":null}"#))
    }

    @Test
    func `data that proves to be simulated has another source, and the old one ends`() {
        var reports = SignalKDeltas(receiver: "a", origin: .unknown, vessel: "vessels.x")
        #expect(reports.setOrigin(.live, time: nil) == nil)
        let live = Self.text(reports.delta(of: Self.fix, time: nil, now: now))
        #expect(live.contains(#""$source":"gpsbridge.a""#))
        let lost = Self.text(reports.setOrigin(.simulated, time: nil))
        #expect(lost.contains(#""$source":"gpsbridge.a""#))
        #expect(lost.contains(#"{"path":"navigation.position","value":null}"#))
        let simulated = Self.text(reports.delta(of: Self.fix, time: nil, now: now))
        #expect(simulated.contains(#""$source":"gpsbridge.simulated.a""#))
        #expect(simulated.contains("Simulator"), "\(simulated)")
    }

    @Test func `other sentences produce no report`() {
        var reports = SignalKDeltas(receiver: "a", origin: .live, vessel: "vessels.x")
        for sentence in ["$GPGGA,,,,,,0,,,,,,,,*66", "", "$SDDPT", "$SDDPT,,*57", "!AIVDM,1"] {
            let line = reports.delta(ofSentence: Array(sentence.utf8), time: nil, now: now)
            #expect(line == nil, "\(sentence)")
        }
    }

    // MARK: Alarms

    private func reports(_ origin: DataOrigin = .live) -> SignalKDeltas {
        SignalKDeltas(receiver: "a", origin: origin, vessel: "vessels.x")
    }

    @Test func `an anchor that drags is an emergency until it holds`() {
        var navigator = AnchorWatch(AnchorCircle(radius: 30, anchor: Self.fix.coordinate))
        var reports = reports()
        var fix = Self.fix
        var lines: [String] = []
        for second in 0..<30 {
            let metres = second < 10 ? 500.0 : 0
            fix.coordinate = Self.fix.coordinate?.moved(by: metres, course: 90)
            navigator.receive(fix, at: Double(second), time: nil)
            if let line = reports.alarm(of: navigator.state, time: Self.time) {
                lines.append(Self.text(line))
            }
        }
        #expect(lines.count == 2)
        let alarm =
            #"{"path":"notifications.navigation.anchor","value":{"state":"emergency","#
            + #""method":["visual","sound"],"message":"anchor drags: 500 m away, "#
        #expect(lines.first?.contains(alarm) == true, "\(lines)")
        let end = #"{"path":"notifications.navigation.anchor","value":null}"#
        #expect(lines.last?.contains(end) == true, "\(lines)")
        #expect(reports.activeAlarms(time: nil) == nil)
    }

    @Test func `a position that is lost for five seconds is an alarm until it is back`() {
        var reports = reports()
        #expect(reports.alarms(of: Fix(), time: nil, now: now) == nil)
        #expect(reports.alarms(of: Self.fix, time: nil, now: now) == nil)
        #expect(reports.alarms(of: Fix(), time: nil, now: now + .seconds(4)) == nil)
        let lost = Self.text(reports.alarms(of: Fix(), time: nil, now: now + .seconds(5)))
        #expect(lost.contains(#""message":"the position is lost: no fix""#), "\(lost)")
        #expect(reports.alarms(of: Fix(), time: nil, now: now + .seconds(6)) == nil)
        #expect(Self.text(reports.activeAlarms(time: nil)).contains("navigation.position"))
        let back = Self.text(reports.alarms(of: Self.fix, time: nil, now: now + .seconds(7)))
        #expect(back.contains(#"{"path":"notifications.navigation.position","value":null}"#))
    }

    @Test func `an alarm of a receiver that comes back as another tty ends where it began`() throws
    {
        var reports = reports()
        _ = reports.alarms(of: Self.fix, time: nil, now: now)
        _ = reports.alarmsOfLoss(isExpected: false, time: nil)
        reports.begin(receiver: "b", origin: .live)
        let end = #"{"path":"notifications.navigation.position","value":null}"#
        let moved = Self.text(reports.alarms(of: Fix(), time: nil, now: now))
        let updates = moved.split(separator: "$source", omittingEmptySubsequences: false)
        try #require(updates.count == 3, "\(moved)")
        #expect(updates[1].contains("gpsbridge.a") && updates[1].contains(end), "\(moved)")
        #expect(updates[2].contains("gpsbridge.b"), "\(moved)")
        #expect(updates[2].contains("the position is lost"), "\(moved)")
        let back = Self.text(reports.alarms(of: Self.fix, time: nil, now: now))
        #expect(back.contains("gpsbridge.b") && back.contains(end), "\(back)")
        #expect(!back.contains("gpsbridge.a"), "\(back)")
    }

    @Test func `an alarm that ends with the first fix from another tty ends where it began`() {
        var reports = reports()
        _ = reports.alarms(of: Self.fix, time: nil, now: now)
        _ = reports.alarmsOfLoss(isExpected: false, time: nil)
        reports.begin(receiver: "b", origin: .live)
        let back = Self.text(reports.alarms(of: Self.fix, time: nil, now: now))
        let end = #"{"path":"notifications.navigation.position","value":null}"#
        #expect(back.contains("gpsbridge.a") && back.contains(end), "\(back)")
        #expect(!back.contains("gpsbridge.b"), "\(back)")
        #expect(reports.activeAlarms(time: nil) == nil)
    }

    @Test func `the message about an integrity alarm contains its reasons`() {
        var reports = reports(.simulated)
        var fix = Self.fix
        fix.integrity = Integrity(state: .alarm)
        let text = Self.text(reports.alarms(of: fix, time: nil, now: now))
        let alarm = #""notifications.navigation.gnss.integrity","value":{"state":"alarm""#
        #expect(text.contains(alarm), "\(text)")
        #expect(text.contains(#""message":"the position may be false (simulated)""#), "\(text)")
        #expect(reports.alarms(of: fix, time: nil, now: now) == nil)
        #expect(Self.text(reports.alarms(of: Self.fix, time: nil, now: now)).contains("null"))
    }

    @Test func `a lost receiver is an alarm, but not one that is removed, or a recording`() {
        func loss(_ origin: DataOrigin, isExpected: Bool) -> String {
            var reports = reports(origin)
            _ = reports.alarms(of: Self.fix, time: nil, now: now)
            return Self.text(reports.alarmsOfLoss(isExpected: isExpected, time: nil))
        }
        #expect(loss(.live, isExpected: false).contains("notifications.navigation.position"))
        #expect(loss(.live, isExpected: true) == "none")
        #expect(loss(.replay, isExpected: false) == "none")
    }
}
