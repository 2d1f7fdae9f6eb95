// SPDX-License-Identifier: MIT
import GNSS
import GPSBridge
import GPSReceivers
import GPSTestSupport
import Testing

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
