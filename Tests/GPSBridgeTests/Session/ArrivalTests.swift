// SPDX-License-Identifier: MIT
import GNSS
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import Testing

/// The arrival times of fixes, and the wake-ups of the polling thread.
@Suite(.timeLimit(.generous))
struct ArrivalTests {
    @Test func `a live location has the arrival time of its bytes`() async throws {
        let receiver = try ScriptedReceiver()
        let manager = LocationManager(source: receiver.source)
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        var locations = stream.makeAsyncIterator()
        var last: EpochArrival?
        for second in 0..<5 {
            let before = MonotonicInstant.now
            await receiver.sendEpoch(second)
            let location = try #require(await locations.next()?.first)
            let arrival = try #require(location.arrival)
            #expect(before <= arrival.firstByte && arrival.firstByte <= arrival.lastByte)
            #expect(arrival.lastByte <= .now)
            #expect(try #require(location.age) > .zero)
            if let last { #expect(last.lastByte <= arrival.firstByte) }
            last = arrival
        }
    }

    @Test func `a recorded location has no arrival time`() async throws {
        let bytes = (0..<5).flatMap { ScriptedReceiver.epoch($0) }
        let manager = LocationManager(source: .bytes(bytes))
        let location = try await manager.requestLocation()
        #expect(location.arrival == nil && location.age == nil)
    }

    @Test func `with a known cycle ender only bytes wake the thread`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        // The clock stands still, so that no deadline passes on a busy machine.
        let poller = Poller(clock: SteppedClock())
        defer { poller.stop() }
        var source = receiver.source
        source.poller = poller
        let seconds = Witness<Int>()
        let waits = Witness<Duration?>()
        let subscription = ReceiverPool(poller: poller).join(source) { update in
            guard case .epoch(let epoch) = update, let time = epoch.fix.time else { return }
            seconds.note(time.time.second)
            // When this runs on the polling thread, the session waits again.
            Task(executorPreference: poller) {
                waits.note(poller.nextDeadline.map { poller.now.duration(to: $0) })
            }
        }
        await receiver.waitForReader()
        for second in 0..<8 {
            await receiver.sendEpoch(second)
            // The first epochs, whose end is not known yet, end when the next one begins.
            _ = await seconds.first(second < 7 ? second : second + 1)
        }
        // The only deadline is the one after which the receiver counts as silent.
        let wait = try #require(await waits.first(8).last)
        #expect(wait.map { $0 > .seconds(5) } == true)
        await receiver.sendEpoch(8)
        #expect(await seconds.first(9) == Array(0..<9))
        withExtendedLifetime(subscription) {}
    }
}
