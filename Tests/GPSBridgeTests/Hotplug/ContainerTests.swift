// SPDX-License-Identifier: MIT
import GNSS
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Synchronization
import Testing

/// A container has the device nodes that it was started with, and gets no events.
@Suite(.timeLimit(.generous))
struct ContainerTests {
    /// A tty whose node remains when its device is unplugged.
    private struct StaticNode: DeviceSource {
        let tty: SerialSource
        let isThere: @Sendable () -> Bool

        var name: String { tty.name }
        var origin: DataOrigin { .live }
        var identity: SourceIdentity { tty.identity }

        func open() async throws(DeviceError) -> any DeviceConnection {
            guard isThere() else {
                throw DeviceError(.notFound, device: name, errno: ENXIO)
            }
            return try await tty.open()
        }

        func availability() -> (any DeviceAvailability)? { Nothing() }
    }

    private struct Nothing: DeviceAvailability {
        func next(until deadline: MonotonicInstant?) async {
            _ = await Poller.shared.sleep(until: deadline ?? .now + .seconds(3600))
        }
    }

    @Test func `a device node without a device is retried without an event`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let tries = Mutex(0)
        let source = StaticNode(tty: SerialSource(receiver.path)) {
            tries.withLock { tries in
                tries += 1
                return tries > 3
            }
        }
        let manager = LocationManager(source: source)
        let errors = Witness<DeviceError.Code?>()
        let subscription = manager.events.didFailWithError.observe { errors.note($0.cause?.code) }
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        #expect(tries.withLock { $0 } == 4)
        // On a busy machine, the receiver may be silent before this is checked.
        #expect(errors.all.filter { $0 != .silent } == [.notFound])
        subscription.dispose()
    }
}
