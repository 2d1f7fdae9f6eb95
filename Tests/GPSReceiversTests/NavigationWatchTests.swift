// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import Testing

@Suite(.timeLimit(.generous))
final class NavigationWatchTests {
    /// A clock that stands still: on a busy machine, a receiver would count as silent before a test
    /// continues, which would be the cause of the alarm.
    private let clock = SteppedClock()
    private let poller: Poller

    init() { poller = Poller(clock: clock) }

    deinit { poller.stop() }

    /// The receiver as a source that is read by the test's clock.
    private func source(_ receiver: ScriptedReceiver) -> SerialSource {
        var source = receiver.source
        source.poller = poller
        return source
    }

    /// A pool whose sessions watch an anchor.
    private func pool(_ anchor: Coordinate?) -> ReceiverPool {
        let pool = ReceiverPool(poller: poller)
        var settings = Navigator.Settings()
        settings.circle = AnchorCircle(radius: 1000, anchor: anchor)
        pool.navigation = settings
        return pool
    }

    @Test func `a receiver that is reopened leaves no distance to the anchor, and no alarm`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let pool = pool(Coordinate(latitude: 48.2, longitude: 16.36))
        let session = pool.session(for: source(receiver))
        let (results, losses) = (Witness<Navigation>(), Witness<Bool>())
        let watch = session.navigation?.changes.observe { results.note($0) }.scoped
        let joined = session.join { if case .condition(.lost, _) = $0 { losses.note(true) } }
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        await results.wait { $0.anchor?.distance != nil }
        session.reopen()
        _ = await losses.first(1)
        let anchor = try #require(results.all.last?.anchor)
        #expect(anchor.distance == nil && !anchor.isAlarm)
        withExtendedLifetime((watch, joined)) {}
    }

    @Test func `when a receiver is back, its absence is not the cause of the alarm any more`()
        async throws
    {
        let folder = try TemporaryFolder()
        let receiver = try ScriptedReceiver(link: folder.path("gps"))
        let pool = pool(nil)
        let session = pool.session(for: source(receiver))
        let (results, alarms) = (Witness<Navigation>(), Witness<AlarmChange>())
        let watch = session.navigation?.changes.observe { results.note($0) }.scoped
        let changes = pool.alarmChanges.observe { alarms.note($0) }.scoped
        let joined = session.join { _ in }
        await receiver.waitForReader()
        receiver.unplug()
        _ = await alarms.first(1)
        let another = try ScriptedReceiver(link: folder.path("gps"))
        await results.wait { $0.anchor?.reason == "no position" }
        #expect(results.all.last?.messages.isEmpty == true)
        #expect(alarms.all.count == 1)
        withExtendedLifetime((folder, watch, changes, joined, another)) {}
    }

    @Test func `on a line without fixes, the anchor watch is blind`() async throws {
        let receiver = try ScriptedReceiver()
        let pool = pool(nil)
        pool.navigation?.startLimit = 1
        let session = pool.session(for: source(receiver))
        let (results, alarms) = (Witness<Navigation>(), Witness<AlarmChange>())
        let watch = session.navigation?.changes.observe { results.note($0) }.scoped
        let changes = pool.alarmChanges.observe { alarms.note($0) }.scoped
        let openings = Witness<Bool>()
        let joined = session.join { if $0.openedDevice != nil { openings.note(true) } }
        _ = await openings.first(1)
        // The session waits for bytes and for the limit.
        await until { poller.waiterCount >= 2 }
        clock.advance(by: .seconds(1))
        let alarm = try #require(await alarms.first(1).first)
        #expect(alarm.state == "lost" && alarm.reasons == ["no position"])
        #expect(results.all.last?.messages == ["anchor watch does not work: no position"])
        withExtendedLifetime((watch, changes, joined)) {}
    }

    @Test func `on a recording without positions and times, the anchor watch is blind`()
        async throws
    {
        let void = ["$GPRMC,,V,,,,,,,,,,N*53", "$GPGGA,,,,,,0,,,,,,,,*66"]
        let source = BytesSource.sentences(Array(repeating: void, count: 130).flatMap(\.self))
        let session = pool(nil).session(for: source)
        let (results, ends) = (Witness<Navigation>(), Witness<Bool>())
        let watch = session.navigation?.changes.observe { results.note($0) }.scoped
        let joined = session.join { if case .condition(.ended, _) = $0 { ends.note(true) } }
        _ = await ends.first(1)
        #expect(results.all.first?.anchor?.condition == .setting)
        #expect(results.all.last?.anchor?.reason == "no position")
        withExtendedLifetime((watch, joined)) {}
    }
}
