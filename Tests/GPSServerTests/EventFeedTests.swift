// SPDX-License-Identifier: MIT
import GNSS
import GPSServer
import GPSTestTraits
import Synchronization
import Testing

/// Events for any number of viewers, and the history for new clients, in bounded memory.
@Suite(.timeLimit(.generous))
struct EventFeedTests {
    @Test func `every event is one line of data`() {
        #expect(ServerSentEvent.bytes("{\"a\":1}".utf8) == Array("data: {\"a\":1}\n\n".utf8))
        let hostile = ServerSentEvent.bytes("x\r\n\ndata: y".utf8, event: "nmea")
        #expect(hostile == Array("event: nmea\ndata: xdata: y\n\n".utf8))
    }

    @Test func `a viewer reads the greeting and then every event, in pieces of any size`() {
        let feed = EventFeed(limit: 1000)
        feed.publish(Array("before".utf8))
        let viewer = EventViewer(feed, from: feed.end, greeting: Array("hello ".utf8))
        let wakeUps = Mutex(0)
        viewer.begin { wakeUps.withLock { $0 += 1 } }
        feed.publish(Array("one ".utf8))
        feed.publish(Array("two".utf8))
        #expect(wakeUps.withLock { $0 } == 2)
        var text = ""
        while let piece = Self.read(viewer, atMost: 4), !piece.isEmpty { text += piece }
        #expect(text == "hello one two")
        #expect(Self.read(viewer, atMost: 4) == "")
        feed.publish(Array("!".utf8))
        #expect(Self.read(viewer, atMost: 4) == "!")
    }

    @Test func `a viewer that falls behind the kept events is ended`() {
        let feed = EventFeed(limit: 100)
        let viewer = EventViewer(feed, from: feed.end, greeting: [])
        viewer.begin {}
        for _ in 0..<50 { feed.publish([UInt8](repeating: 0x61, count: 10)) }
        #expect(Self.read(viewer, atMost: 1000) == nil)
        guard case .gone = feed.event(0) else { Issue.record("the first is kept"); return }
        guard case .event = feed.event(feed.end - 10) else {
            Issue.record("the last is not"); return
        }
    }

    @Test func `the last events that fit are kept, however many there were`() {
        let feed = EventFeed(limit: 100)
        for number in 0..<1000 {
            feed.publish([UInt8](repeating: UInt8(number % 256), count: 10))
            #expect(feed.end == number + 1)
            let first = max(0, number - 9)
            for kept in first...number {
                guard case .event(let event) = feed.event(kept) else {
                    Issue.record("\(kept) of \(number) is not kept")
                    return
                }
                #expect(event.first == UInt8(kept % 256))
            }
            guard case .gone = feed.event(first - 1) else {
                Issue.record("\(first - 1) of \(number) is kept")
                return
            }
        }
        guard case .awaited = feed.event(1000) else { Issue.record("it has not ended"); return }
    }

    @Test func `the end of a feed wakes its viewers, which read the rest and are then ended`() {
        let feed = EventFeed(limit: 100)
        let viewer = EventViewer(feed, from: feed.end, greeting: [])
        let wakeUps = Mutex(0)
        viewer.begin { wakeUps.withLock { $0 += 1 } }
        feed.publish(Array("last".utf8))
        feed.finish()
        #expect(wakeUps.withLock { $0 } == 2)
        #expect(Self.read(viewer, atMost: 100) == "last")
        #expect(Self.read(viewer, atMost: 100) == nil)
        let late = EventViewer(feed, from: feed.end, greeting: Array("hello".utf8))
        late.begin {}
        #expect(Self.read(late, atMost: 100) == "hello")
        #expect(Self.read(late, atMost: 100) == nil)
    }

    @Test func `the history is limited to an hour and to a number of fixes`() {
        var history = FixHistory(limit: 600)
        for second in 0..<7200 {
            history.add(Self.fix(second), cn0: 40, now: Int64(second) * 1_000_000_000)
        }
        #expect(history.fixes.count == 600)
        let newest = history.fixes.last?.time ?? 0
        #expect((history.fixes.first?.time ?? 0) >= newest - 3_600_000_000_000)
        var dense = FixHistory(limit: 36_000)
        for second in 0..<1000 { dense.add(Self.fix(second), cn0: nil, now: 0) }
        #expect(dense.fixes.count == 1000)
        #expect(dense.fixes(after: dense.fixes[500].time).count == 499)
    }

    @Test func `the last fix is not after its own time, which is reported in milliseconds`() {
        var history = FixHistory(limit: 10)
        let reported: Int64 = 1_774_094_400_123_000_000
        var fix = Self.fix(0)
        fix.time = UTCTime(unixNanoseconds: reported + 999_999)
        history.add(fix, cn0: nil, now: 0)
        #expect(history.fixes(after: reported).isEmpty)
        #expect(history.fixes(after: reported - 1).count == 1)
        #expect(history.fixes(after: .min).count == 1)
    }

    @Test func `dates that are centuries apart begin the history again`() {
        var history = FixHistory(limit: 600)
        for year in [2026, 1680, 2260, 1680] {
            var fix = Self.fix(0)
            fix.time = UTCTime(iso8601: "\(year)-03-21T12:00:00Z")
            history.add(fix, cn0: nil, now: 0)
            #expect(history.fixes.map(\.time) == [fix.time?.unixNanoseconds])
            #expect(history.thinned(receiverCount: 1).count == 1)
        }
    }

    @Test(arguments: [(1_300, 98), (-1_300, 100), (220_752_000_000, 99), (-220_752_000_000, 99)])
    func `a fix without a date erases no fixes before it, whatever the clock of the machine`(
        milliseconds: Int, count: Int
    ) {
        var history = FixHistory(limit: 36_000)
        for second in 0..<100 {
            var fix = Self.fix(second)
            let arrival = (fix.time?.unixNanoseconds ?? 0) + Int64(milliseconds) * 1_000_000
            if second == 50 { history.endSegment() }
            if second.isMultiple(of: 50) { fix.time = nil }
            history.add(fix, cn0: nil, now: arrival)
        }
        let times = history.fixes.map(\.time)
        #expect(times.count == count)
        #expect(times == times.sorted())
        #expect(history.fixes.filter(\.beginsSegment).count == 2)
    }

    @Test(arguments: [(0, 36_000), (1, 36_000), (4, 36_000), (10, 14_400), (1000, 144)])
    func `the histories of all receivers together are limited`(count: Int, limit: Int) {
        #expect(FixHistory.limit(for: count) == limit)
    }

    @Test func `a lower limit thins the history, which still covers the same time`() {
        var history = FixHistory(limit: 36_000)
        for second in 0..<3000 {
            if second == 1501 { history.endSegment() }
            history.add(Self.fix(second), cn0: nil, now: 0)
        }
        let (first, last) = (history.fixes.first?.time ?? 0, history.fixes.last?.time)
        history.setLimit(1000)
        #expect(history.fixes.count == 1000)
        #expect((history.fixes.first?.time ?? 0) - first == 2_000_000_000)
        #expect(history.fixes.last?.time == last)
        #expect(history.fixes.filter(\.beginsSegment).count == 2)
        history.add(Self.fix(3010), cn0: nil, now: 0)
        #expect(history.fixes.count == 1000)
        #expect(history.fixes.last?.beginsSegment == false)
        history.setLimit(2000)
        #expect(history.fixes.count == 1000)
    }

    @Test func `the initial track covers the whole history and is no larger for many receivers`() {
        var history = FixHistory(limit: 36_000)
        for second in 0..<10 { history.add(Self.fix(second), cn0: nil, now: 0) }
        // All of them fit.
        #expect(history.thinned(receiverCount: 20).map(\.time) == history.fixes.map(\.time))
        for second in 10..<3600 { history.add(Self.fix(second), cn0: nil, now: 0) }
        for count in [1, 2, 10] {
            let selection = history.thinned(receiverCount: count)
            #expect(selection.count * count <= 1300)
            #expect(selection.count * count >= 1000)
            #expect(selection.first?.time == history.fixes.first?.time)
            #expect(selection.last?.time == history.fixes.last?.time)
        }
    }

    @Test func `a gap begins a segment, also if its first fix is omitted from the initial track`() {
        var history = FixHistory(limit: 36_000)
        for second in 0..<10 { history.add(Self.fix(second), cn0: nil, now: 0) }
        history.endSegment()
        for second in 10..<20 { history.add(Self.fix(second), cn0: nil, now: 0) }
        #expect(history.fixes.filter(\.beginsSegment).count == 2)
        #expect(history.thinned(receiverCount: 400).filter(\.beginsSegment).count == 2)
    }

    @Test func `a stored fix has the values of the fix`() throws {
        let fix = Self.fix(7)
        var history = FixHistory(limit: 10)
        history.add(fix, cn0: nil, now: 0)
        let kept = try #require(history.fixes.first?.fix)
        #expect(kept.coordinate == fix.coordinate)
        #expect(kept.time == fix.time)
        #expect(kept.altitude == 171.5)
        #expect(kept.course == nil)
        #expect(kept.satellitesUsed == 9)
        history.add(Fix(), cn0: nil, now: 0)
        #expect(history.fixes.count == 1)
    }

    @Test(arguments: [nil, .unknown, .ok, .warning, .alarm] as [Integrity.State?])
    func `a stored fix has the state of its integrity, but not the reasons`(
        state: Integrity.State?
    ) throws {
        var fix = Self.fix(7)
        fix.integrity = state.map { Integrity(state: $0, since: fix.time, evidence: [.motion]) }
        var history = FixHistory(limit: 10)
        history.add(fix, cn0: nil, now: 0)
        let kept = try #require(history.fixes.first?.fix)
        #expect(kept.integrity == state.map { Integrity(state: $0) })
    }

    @Test func `the period is the time between the last fixes without a gap`() {
        var history = FixHistory(limit: 600)
        #expect(history.period == nil)
        for second in [0, 60, 120, 240] { history.add(Self.fix(second), cn0: nil, now: 0) }
        #expect(history.period == 60, "one fix is missing")
        history.endSegment()
        history.add(Self.fix(1000), cn0: nil, now: 0)
        #expect(history.period == 120)
        history.add(Self.fix(1010), cn0: nil, now: 0)
        #expect(history.period == 10)
    }

    @Test func `the history has the altitude above mean sea level that TPV has`() throws {
        var fix = Self.fix(7)
        (fix.altitude, fix.ellipsoidalAltitude) = (nil, 215)
        let position = try #require(fix.coordinate)
        let separation = try #require(GeoidModel.separation(at: position))
        for (mode, altitude) in [(FixMode.threeD, 215 - separation), (.twoD, 215)] {
            fix.mode = mode
            var history = FixHistory(limit: 10)
            history.add(fix, cn0: nil, now: 0)
            let shown = try #require(history.fixes.first?.shownAltitude)
            #expect(abs(shown - altitude) < 0.001)
            #expect(history.fixes.first?.fix.altitude == nil)
        }
    }

    @Test func `a stored fix without a date does not get the time of its arrival`() throws {
        var fix = Self.fix(7)
        let timeOfDay = TimeOfDay(hour: 12, minute: 35, second: 19, nanosecond: 250_000_000)
        let now: Int64 = 1_774_094_400_000_000_000
        for reported in [timeOfDay, nil] {
            (fix.time, fix.timeOfDay) = (nil, reported)
            var history = FixHistory(limit: 10)
            history.add(fix, cn0: nil, now: now)
            #expect(history.fixes(after: now - 1).count == 1)
            let kept = try #require(history.fixes.first?.fix)
            #expect(kept.time == nil)
            #expect(kept.timeOfDay == reported)
        }
    }

    private static func fix(_ second: Int) -> Fix {
        var fix = Fix()
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.time = UTCTime(
            unixNanoseconds: 1_774_094_400_000_000_000 + Int64(second) * 1_000_000_000)
        fix.coordinate = Coordinate(latitude: 48.2, longitude: 16.36)
        fix.altitude = 171.5
        fix.satellitesUsed = 9
        return fix
    }

    private static func read(_ viewer: EventViewer, atMost limit: Int) -> String? {
        var room = [UInt8](repeating: 0, count: limit)
        guard let count = room.withUnsafeMutableBytes({ viewer.read(into: $0) }) else { return nil }
        return String(decoding: room.prefix(count), as: UTF8.self)
    }
}
