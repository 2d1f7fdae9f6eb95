// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

/// An anchor watch, fix by fix.
@Suite(.timeLimit(.generous))
struct AnchorWatchTests {
    private static let anchor = Coordinate(latitude: 59.1, longitude: 179.9999)

    /// A vessel with one fix per second.
    private struct Vessel {
        var watch: AnchorWatch
        var second = 0.0
        var accuracy: Double? = 3

        init(radius: Double = 30, anchor: Coordinate? = AnchorWatchTests.anchor) {
            watch = AnchorWatch(AnchorCircle(radius: radius, anchor: anchor))
        }

        var condition: AnchorState.Condition { watch.state.condition }

        mutating func send(_ change: (inout Fix) -> Void) {
            var fix = Fix()
            fix.time = UTCTime(unixNanoseconds: 1_770_000_000_000_000_000 + Int64(second * 1e9))
            change(&fix)
            watch.receive(fix, at: second, time: fix.time)
            second += 1
        }

        /// Lies for some seconds at a distance from the anchor.
        mutating func lie(
            _ metres: Double, course: Double = 90, for seconds: Int, isStationary: Bool? = true
        ) {
            let accuracy = accuracy
            for _ in 0..<seconds {
                send {
                    ($0.mode, $0.quality) = (.threeD, .autonomous)
                    $0.accuracy.horizontal = accuracy
                    $0.coordinate = AnchorWatchTests.anchor.moved(by: metres, course: course)
                    $0.isStationary = isStationary
                }
            }
        }
    }

    @Test func `the anchor is where the vessel is in its first ten seconds at rest`() throws {
        var vessel = Vessel(anchor: nil)
        vessel.lie(500, for: 20, isStationary: false)
        vessel.lie(400, for: 3, isStationary: nil)
        for index in 0..<11 {
            #expect(vessel.condition == .setting)
            vessel.lie(index.isMultiple(of: 2) ? 2 : 0, for: 1)
        }
        #expect(vessel.condition == .ok)
        let anchor = try #require(vessel.watch.state.anchor)
        #expect(anchor.distance(to: Self.anchor.moved(by: 12 / 11, course: 90)) < 0.01)
    }

    @Test func `a vessel that leaves the circle drags, after five seconds`() throws {
        var vessel = Vessel()
        vessel.lie(20, for: 10)
        #expect(vessel.condition == .ok)
        vessel.lie(33.6, for: 5)
        #expect(vessel.condition == .ok)
        vessel.lie(33.6, for: 1)
        let state = vessel.watch.state
        #expect(state.condition == .drag && state.isAlarm)
        #expect(state.summary == "anchor drags: 34 m away, the circle is 30 m")
        #expect(state.since?.description == "2026-02-02T02:40:15.000Z")
        #expect(abs(try #require(state.distance) - 33.6) < 0.001)
        #expect(abs(try #require(state.bearing) - 270) < 0.01)
    }

    @Test func `a single fix, or one outside by less than the accuracy, starts no alarm`() {
        var vessel = Vessel()
        vessel.lie(20, for: 10)
        vessel.lie(32.9, for: 60)
        for _ in 0..<10 {
            vessel.lie(60, for: 4)
            vessel.lie(20, for: 1)
        }
        #expect(vessel.condition == .ok)
        vessel.accuracy = 2
        vessel.lie(32.9, for: 6)
        #expect(vessel.condition == .drag)
    }

    @Test func `the alarm ends when the vessel is inside for five seconds`() {
        var vessel = Vessel()
        vessel.lie(50, for: 10)
        #expect(vessel.condition == .drag)
        vessel.lie(31, for: 60)
        #expect(vessel.condition == .drag)
        vessel.lie(29, for: 5)
        #expect(vessel.condition == .drag)
        vessel.lie(29, for: 1)
        #expect(vessel.condition == .ok && vessel.watch.state.reason == nil)
    }

    private static let unusable: [(String, @Sendable (inout Fix) -> Void)] = [
        ("no position", { $0.mode = .noFix }),
        ("the position is not measured", { $0.quality = .estimated }),
        ("the position is in an integrity alarm", { $0.integrity = Integrity(state: .alarm) }),
        ("the accuracy of the position is 31 m", { $0.accuracy.horizontal = 31 }),
    ]

    @Test(arguments: unusable)
    func `without a usable position for ten seconds the watch is blind`(
        _ reason: String, _ spoil: @Sendable (inout Fix) -> Void
    ) {
        var vessel = Vessel()
        vessel.lie(20, for: 10)
        func send() {
            vessel.send {
                ($0.mode, $0.quality) = (.threeD, .autonomous)
                $0.coordinate = Self.anchor
                spoil(&$0)
            }
        }
        for _ in 0..<9 { send() }
        #expect(vessel.condition == .ok)
        #expect(vessel.watch.state.distance == nil && vessel.watch.state.bearing == nil)
        send()
        #expect(vessel.condition == .lost && vessel.watch.state.isAlarm)
        #expect(vessel.watch.state.reason == reason)
        #expect(vessel.watch.state.anchor == Self.anchor)
        vessel.lie(32, for: 6)
        #expect(vessel.condition == .ok)
    }

    /// A receiver whose accuracy is usable in every second fix only.
    private static func lieUnsteadily(_ metres: Double, for seconds: Int, in vessel: inout Vessel) {
        for index in 0..<seconds {
            vessel.accuracy = index.isMultiple(of: 2) ? 3 : 31
            vessel.lie(metres, for: 1)
        }
    }

    @Test func `fixes without a usable position do not delay the alarm forever`() {
        var vessel = Vessel()
        vessel.lie(20, for: 10)
        Self.lieUnsteadily(300, for: 6, in: &vessel)
        #expect(vessel.condition == .ok)
        Self.lieUnsteadily(300, for: 1, in: &vessel)
        #expect(vessel.condition == .drag)
        // Two fixes inside, and one more after the watch has been blind, are not five seconds.
        vessel.accuracy = 3
        vessel.lie(20, for: 2)
        for _ in 0..<10 { vessel.send { _ in } }
        #expect(vessel.condition == .lost)
        vessel.lie(20, for: 5)
        #expect(vessel.condition == .lost)
        vessel.lie(20, for: 1)
        #expect(vessel.condition == .ok)
    }

    @Test func `the anchor is found between fixes without a usable position`() {
        var vessel = Vessel(anchor: nil)
        Self.lieUnsteadily(0, for: 11, in: &vessel)
        #expect(vessel.condition == .ok && vessel.watch.state.anchor != nil)
    }

    @Test func `the anchor watch begins only with positions that are accurate enough`() {
        var vessel = Vessel(anchor: nil)
        vessel.accuracy = 16
        vessel.lie(40, for: 60)
        #expect(vessel.condition == .setting && vessel.watch.state.anchor == nil)
        #expect(
            vessel.watch.state.summary == "anchor watch begins: accuracy must reach 15 m")
        vessel.accuracy = 15
        vessel.lie(0, for: 11)
        #expect(vessel.condition == .ok && vessel.watch.state.reason == nil)
        let anchor = vessel.watch.state.anchor
        #expect(anchor.map { $0.distance(to: Self.anchor) < 0.01 } == true)
    }

    @Test func `a watch that waits for accuracy for two minutes is blind until it has it`() {
        var vessel = Vessel(radius: 5, anchor: nil)
        vessel.accuracy = 6
        vessel.lie(0, for: 121)
        #expect(vessel.condition == .lost)
        #expect(vessel.watch.state.reason == "the accuracy is 6 m, it must reach 5 m")
        vessel.accuracy = nil
        vessel.lie(0, for: 11)
        #expect(vessel.condition == .ok)
    }

    @Test func `a message reports once that the watch waits for accuracy`() {
        var settings = Navigator.Settings()
        settings.circle = AnchorCircle(radius: 30)
        var navigator = Navigator(settings)
        var fix = Fix()
        (fix.mode, fix.coordinate) = (.threeD, Self.anchor)
        var messages: [String] = []
        for second in 0..<20 {
            fix.accuracy.horizontal = second.isMultiple(of: 2) ? 40 : 10
            messages += navigator.receive(fix, at: Double(second), time: nil).messages
        }
        #expect(messages == ["anchor watch begins: accuracy must reach 15 m"])
    }

    @Test func `the cause of a watch that does not work is the present one, of the same alarm`() {
        var vessel = Vessel(anchor: nil)
        let since = UTCTime(unixNanoseconds: 1_769_999_000_000_000_000)
        vessel.watch.didLosePosition("the receiver cannot be opened", time: since)
        vessel.accuracy = 15.2
        vessel.lie(0, for: 1)
        #expect(vessel.watch.state.reason == "the accuracy is 16 m, it must reach 15 m")
        vessel.send { _ in }
        #expect(vessel.watch.state.reason == "no position")
        vessel.accuracy = 3
        vessel.lie(0, for: 1, isStationary: nil)
        #expect(vessel.watch.state.reason == "the anchor's place is not known yet")
        vessel.watch.didLosePosition("the receiver is gone", time: nil)
        #expect(vessel.watch.state.reason == "the receiver is gone")
        #expect(vessel.condition == .lost && vessel.watch.state.since == since)
        vessel = Vessel()
        vessel.watch.didLosePosition("the receiver is gone", time: nil)
        vessel.lie(20, for: 5)
        #expect(vessel.watch.state.reason == "too few positions so far")
        vessel.lie(20, for: 1)
        #expect(vessel.condition == .ok && vessel.watch.state.reason == nil)
    }

    @Test func `another cause of the same alarm is not another message`() {
        var settings = Navigator.Settings()
        settings.circle = AnchorCircle(radius: 30)
        var navigator = Navigator(settings)
        let loss = navigator.didLosePosition("the receiver cannot be opened", time: nil)
        #expect(loss.messages == ["anchor watch does not work: the receiver cannot be opened"])
        var fix = Fix()
        (fix.mode, fix.coordinate) = (.threeD, Self.anchor)
        for second in 0..<20 {
            fix.accuracy.horizontal = 20 + Double(second)
            let navigation = navigator.receive(fix, at: Double(second), time: nil)
            #expect(navigation.messages.isEmpty)
            let cause = "the accuracy is \(20 + second) m, it must reach 15 m"
            #expect(navigation.anchor?.reason == cause)
        }
    }

    @Test func `positions that come only now and then are an alarm after two minutes`() {
        var vessel = Vessel(anchor: nil)
        for _ in 0..<11 {
            #expect(vessel.condition == .setting)
            vessel.lie(0, for: 1)
            for _ in 0..<11 { vessel.send { _ in } }
        }
        #expect(vessel.condition == .lost)
    }

    @Test func `a vessel that has dragged while the watch was blind drags afterwards`() {
        var vessel = Vessel()
        vessel.lie(20, for: 10)
        vessel.watch.didLosePosition("the receiver is gone", time: nil)
        #expect(vessel.watch.state.summary == "anchor watch does not work: the receiver is gone")
        vessel.lie(300, for: 5)
        #expect(vessel.condition == .lost)
        vessel.lie(300, for: 1)
        #expect(vessel.condition == .drag)
    }

    @Test(arguments: [true, false])
    func `a watch that has not begun after two minutes is an alarm`(_ hasPosition: Bool) {
        var vessel = Vessel(anchor: nil)
        func wait(_ seconds: Int) {
            if hasPosition {
                vessel.lie(0, for: seconds, isStationary: false)
            } else {
                for _ in 0..<seconds { vessel.send { _ in } }
            }
        }
        wait(120)
        #expect(vessel.condition == .setting)
        wait(1)
        #expect(vessel.condition == .lost)
        let reason = vessel.watch.state.reason
        #expect(reason == (hasPosition ? "the vessel has not been at rest" : "no position"))
        vessel.lie(0, for: 11)
        #expect(vessel.condition == .ok && vessel.watch.state.anchor != nil)
    }

    @Test func `fixes that never show whether the vessel is at rest need the anchor's place`() {
        var vessel = Vessel(anchor: nil)
        vessel.lie(0, for: 120, isStationary: nil)
        #expect(vessel.condition == .setting)
        vessel.lie(0, for: 1, isStationary: nil)
        #expect(
            vessel.watch.state.summary
                == "anchor watch does not work: rest cannot be determined: give the anchor's place")
        vessel = Vessel()
        vessel.lie(0, for: 6, isStationary: nil)
        #expect(vessel.condition == .ok)
    }

    @Test func `the members of a TPV leave out what is not known`() {
        var vessel = Vessel(anchor: nil)
        #expect(members(of: vessel) == #","anchor":"setting","anchorRadius":30.0"#)
        vessel.watch = AnchorWatch(AnchorCircle(radius: 12.5, anchor: Self.anchor))
        vessel.lie(5, for: 6)
        #expect(
            members(of: vessel)
                == #","anchor":"ok","anchorSince":"2026-02-02T02:40:05.000Z","anchorLatitude":59.100000000,"#
                + #""anchorLongitude":179.999900000,"anchorRadius":12.5,"anchorDistance":5.0,"#
                + #""anchorBearing":270.0"#)
    }

    @Test func `a bearing that would be rounded to 360 is 0`() {
        var vessel = Vessel()
        vessel.lie(20, course: 179.97, for: 6)
        #expect(members(of: vessel).hasSuffix(#""anchorBearing":0.0"#))
    }

    private func members(of vessel: Vessel) -> String {
        var object = JSONObject()
        vessel.watch.state.add(to: &object)
        return object.members
    }
}
