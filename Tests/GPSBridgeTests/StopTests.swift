// SPDX-License-Identifier: MIT
import Dispatch
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import Testing

@Suite(.timeLimit(.generous), .repeated)
struct StopTests {
    /// A delegate that returns from its first location only when it is released.
    private final class SlowDelegate: LocationManagerDelegate, Sendable {
        let calls = Witness<String>()
        let gate = Gate()

        func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
            calls.note("location")
            gate.pass()
        }

        func locationManager(_ manager: LocationManager, didFailWithError error: any Error) {
            calls.note("failure")
        }

        func locationManagerDidPauseLocationUpdates(_ manager: LocationManager) {
            calls.note("paused")
        }
    }

    @Test func `a slow delegate gets nothing after the call in which updates were stopped`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let queue = DispatchQueue(label: "test")
        // The clock stands still, so that silence on a busy machine is not a failure.
        let stepped = SteppedPool()
        defer { stepped.stop() }
        let manager = stepped.manager(of: receiver, queue: queue)
        let delegate = SlowDelegate()
        manager.delegate = delegate
        let (stream, pauses) = (manager.didUpdateLocations, manager.didPauseLocationUpdates)
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        for second in 0..<50 { await receiver.sendEpoch(second) }
        _ = await collect(49, from: stream)
        _ = await delegate.calls.first(1)
        receiver.unplug()
        for await _ in pauses.prefix(1) {}
        manager.stopUpdatingLocation()
        delegate.gate.open()
        await manager.drain(queue)
        #expect(delegate.calls.all == ["location"])
    }

    @Test func `a slow delegate does not get the waiting calls of a released manager`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let queue = DispatchQueue(label: "test")
        let stepped = SteppedPool()
        defer { stepped.stop() }
        var manager: LocationManager? = stepped.manager(of: receiver, queue: queue)
        let delegate = SlowDelegate()
        manager?.delegate = delegate
        let stream = try #require(manager?.didUpdateLocations)
        let pauses = try #require(manager?.didPauseLocationUpdates)
        manager?.startUpdatingLocation()
        await receiver.waitForReader()
        for second in 0..<50 { await receiver.sendEpoch(second) }
        _ = await collect(49, from: stream)
        _ = await delegate.calls.first(1)
        receiver.unplug()
        for await _ in pauses.prefix(1) {}
        // Afterwards, the reading thread does not keep the manager for a call.
        await Task(executorPreference: stepped.poller) {}.value
        manager = nil
        delegate.gate.open()
        for await _ in stream {}
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async { continuation.resume() }
        }
        #expect(delegate.calls.all == ["location"])
    }

    /// A delegate that stops updates from its first location.
    private final class StoppingDelegate: LocationManagerDelegate, Sendable {
        let calls = Witness<Int>()

        func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
            manager.stopUpdatingLocation()
            calls.note(locations.count)
        }
    }

    @Test func `a delegate on the reading thread may stop updates and is not called again`()
        async throws
    {
        let bytes = (0..<50).flatMap { ScriptedReceiver.epoch($0) }
        let manager = LocationManager(sources: [.bytes(bytes)], executor: .immediate)
        let delegate = StoppingDelegate()
        manager.delegate = delegate
        for round in 1...2 {
            manager.startUpdatingLocation()
            _ = await delegate.calls.first(round)
        }
        #expect(delegate.calls.all == [1, 1])
    }

    @Test func `after a new start the delegate gets only new locations`() async throws {
        let receiver = try ScriptedReceiver()
        let manager = LocationManager(source: receiver.source)
        let delegate = RecordingDelegate()
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        for second in 0..<5 { await receiver.sendEpoch(second) }
        _ = await collect(4, from: stream)
        manager.stopUpdatingLocation()
        manager.delegate = delegate
        await receiver.waitUntilUnread()
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        for second in 20..<25 { await receiver.sendEpoch(second) }
        await delegate.calls.wait { if case .locations = $0 { true } else { false } }
        #expect(delegate.locations.allSatisfy { $0.fix.time?.time.second ?? 0 >= 20 })
    }

    @Test func `a stream waits after stop and continues after the next start`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let manager = LocationManager(source: receiver.source)
        let stream = manager.didUpdateLocations
        for start in [0, 20] {
            manager.startUpdatingLocation()
            await receiver.waitForReader()
            for second in start..<start + 5 { await receiver.sendEpoch(second) }
            #expect(await collect(3, from: stream).count == 3)
            manager.stopUpdatingLocation()
            await receiver.waitUntilUnread()
        }
    }
}

extension LocationManager {
    /// Waits until the calls already sent to a queue have been made.
    fileprivate func drain(_ queue: DispatchQueue) async {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
    }
}
