// SPDX-License-Identifier: MIT
import Dispatch
import GNSS
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import SimulatedDevices
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

/// Updates that are started and stopped by several threads, while the sources are being joined.
@Suite(.timeLimit(.generous), .repeated)
struct ConcurrentStartTests {
    /// A source that blocks the first thread that joins it.
    private final class SlowToJoinSource: DeviceSource {
        let name = "slow to join"
        let origin = DataOrigin.replay
        let joins = Witness<Int>()
        let gate = Gate()
        private let inner = BytesSource.bytes([])

        var identity: SourceIdentity {
            joins.note(1)
            if joins.all.count == 1 { gate.pass() }
            return inner.identity
        }

        func open() async throws(DeviceError) -> any DeviceConnection { try await inner.open() }
    }

    @Test func `locations come after stop and start during a start on another thread`() async {
        let receiver = SimulatedSource(.fast)
        let slow = SlowToJoinSource()
        let manager = LocationManager(sources: [receiver, slow])
        let stream = manager.didUpdateLocations
        let firstStart = Witness<Int>()
        DispatchQueue.global().async {
            manager.startUpdatingLocation()
            firstStart.note(1)
        }
        _ = await slow.joins.first(1)
        manager.stopUpdatingLocation()
        // Joined after the manager, so that the manager has received every update that this receives.
        let epochs = Witness<Int>()
        let other = ReceiverPool.shared.join(receiver) { update in
            if case .epoch = update { epochs.note(1) }
        }
        _ = await epochs.first(1)
        manager.startUpdatingLocation()
        slow.gate.open()
        _ = await firstStart.first(1)
        #expect(await collect(3, from: stream).count == 3)
        withExtendedLifetime(other) {}
    }

    @Test func `locations come after any number of starts and stops on several threads`() async {
        let sources = (0..<8).map { SimulatedSource(.fast, name: "simulated \($0)") }
        let keepsOpen = LocationManager(sources: sources)
        keepsOpen.startUpdatingLocation()
        for _ in 0..<50 {
            let manager = LocationManager(sources: sources)
            let stream = manager.didUpdateLocations
            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        // Each ends with a start, so that the last call is a start.
                        for _ in 0..<10 {
                            manager.stopUpdatingLocation()
                            manager.startUpdatingLocation()
                        }
                    }
                }
            }
            // Waits for all receivers, because any of them could be the one that is no longer joined.
            var silent = Set(sources.map(\.name))
            for await locations in stream {
                silent.subtract(locations.compactMap(\.sourceInformation.source))
                if silent.isEmpty { break }
            }
            #expect(silent.isEmpty)
        }
        keepsOpen.stopUpdatingLocation()
    }
}

/// User code is never called with a lock held, and never delays other receivers.
@Suite(.timeLimit(.generous), .repeated)
struct UserCodeTests {
    @Test func `a closure that blocks delays no other receiver`() async throws {
        let receivers = [try ScriptedReceiver(), try ScriptedReceiver()]
        let managers = receivers.map { LocationManager(source: $0.source) }
        let (gate, entered) = (Gate(), Witness<Int>())
        managers[0].events.didUpdateLocations.subscribe { _ in
            entered.note(1)
            gate.pass()
        }
        let streams = managers.map(\.didUpdateLocations)
        for manager in managers { manager.startUpdatingLocation() }
        for receiver in receivers {
            await receiver.waitForReader()
            for second in 0..<4 { await receiver.sendEpoch(second) }
        }
        _ = await entered.first(1)
        for receiver in receivers {
            for second in 4..<8 { await receiver.sendEpoch(second) }
        }
        for stream in streams { #expect(await collect(7, from: stream).count == 7) }
        gate.open()
    }

    /// A user-defined source that uses the pool when it is called and when it is released.
    private final class ReentrantSource: DeviceSource {
        let name = "reentrant"
        let origin = DataOrigin.replay
        let replaySpeed = Double.infinity
        private let inner: BytesSource
        private let released: Witness<Int>

        init(_ inner: BytesSource, _ released: Witness<Int>) {
            self.inner = inner
            self.released = released
        }

        deinit {
            released.note(ReceiverPool.shared.sessionCount)
        }

        var identity: SourceIdentity {
            _ = ReceiverPool.shared.sessionCount
            return inner.identity
        }

        func open() async throws(DeviceError) -> any DeviceConnection { try await inner.open() }
    }

    @Test func `a source may use the pool, also when it is released`() async throws {
        let bytes = (0..<3).flatMap { ScriptedReceiver.epoch($0) }
        let released = Witness<Int>()
        let count = 20
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let source = ReentrantSource(.bytes(bytes), released)
                    let manager = LocationManager(source: source)
                    let stream = manager.didUpdateLocations
                    manager.startUpdatingLocation()
                    for await _ in stream {}
                }
            }
        }
        #expect(await released.first(count).count == count)
    }

    /// A value captured by a predicate, which uses the manager when it is released.
    private final class Captured: Sendable {
        let manager: LocationManager
        let released: Witness<Bool>

        init(_ manager: LocationManager, _ released: Witness<Bool>) {
            self.manager = manager
            self.released = released
        }

        deinit { released.note(manager.location == nil) }
    }

    @Test func `a value captured by a request may use the manager when it is released`()
        async throws
    {
        let manager = LocationManager(source: .serial("/no/such/tty"))
        let released = Witness<Bool>()
        for cancels in [true, false] {
            let request = Task {
                let captured = Captured(manager, released)
                return try await manager.requestLocation(timeout: .milliseconds(20)) { _ in
                    captured.manager.location != nil
                }
            }
            if cancels { request.cancel() }
            _ = await request.result
        }
        #expect(await released.first(2) == [true, true])
    }
}
