// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import Synchronization
import Testing

/// A recording on a disk that fails.
private struct BrokenSource: DeviceSource {
    final class Connection: DeviceConnection {
        let name = "broken"
        func read(until deadline: MonotonicInstant?) throws(DeviceError) -> DeviceInput {
            throw DeviceError(.ioFailed, device: name, errno: 5)
        }
        func close() {}
    }

    let name = "broken"
    let identity = SourceIdentity.unique()
    var origin: DataOrigin { .replay }

    func open() async throws(DeviceError) -> any DeviceConnection { Connection() }
}

/// A server that sends each client a text and disconnects it.
private struct RefusingSource: DeviceSource {
    final class Connection: DeviceConnection {
        let name = "refusing"
        private let isFirst = Atomic(true)

        func read(until deadline: MonotonicInstant?) throws(DeviceError) -> DeviceInput {
            guard isFirst.exchange(false, ordering: .relaxed) else {
                throw DeviceError(.disconnected, device: name)
            }
            return .bytes(Array("Too many clients\r\n".utf8))
        }

        func close() {}
    }

    /// Does not wait for the first deadlines, and records them.
    final class Availability: DeviceAvailability {
        let deadlines = Witness<MonotonicInstant?>()

        func next(until deadline: MonotonicInstant?) async {
            deadlines.note(deadline)
            guard deadlines.all.count >= 5 else { return }
            _ = await Poller.shared.sleep(until: .now + .seconds(3600))
        }
    }

    let name = "refusing"
    let identity = SourceIdentity.unique()
    let watch = Availability()

    func open() async throws(DeviceError) -> any DeviceConnection { Connection() }
    func availability() -> (any DeviceAvailability)? { watch }
}

/// A receiver that is not plugged in, and whose tty is looked up like that of a USB serial number.
private struct AbsentSource: DeviceSource {
    struct Availability: DeviceAvailability {
        func next(until deadline: MonotonicInstant?) async {
            _ = await Poller.shared.sleep(until: deadline ?? .now + .seconds(3600))
        }
    }

    let name = "absent"
    let identity = SourceIdentity.unique()
    let lookups = Witness<Bool>()
    var ttyPath: String? {
        lookups.note(true)
        return nil
    }

    func open() async throws(DeviceError) -> any DeviceConnection {
        throw DeviceError(.notFound, device: name)
    }

    func availability() -> (any DeviceAvailability)? { Availability() }
}

@Suite(.timeLimit(.generous))
struct BrokenSourceTests {
    @Test func `a permanent error ends the session, which does not retry`()
        async throws
    {
        let session = ReceiverPool.shared.session(for: BrokenSource())
        let end = Promise<DeviceError?>()
        let losses = Mutex(0)
        let joined = session.join { update in
            switch update {
            case .condition(.ended(let ending), _): end.fulfill(ending.error)
            case .condition(.lost, _): losses.withLock { $0 += 1 }
            default: break
            }
        }
        #expect(try await end.value?.code == .ioFailed)
        #expect(losses.withLock { $0 } == 0)
        withExtendedLifetime(joined) {}
    }

    @Test func `a server that disconnects at once is reopened at growing intervals`()
        async throws
    {
        let poller = Poller(clock: TestClock())
        defer { poller.stop() }
        let source = RefusingSource()
        let joined = ReceiverPool(poller: poller).session(for: source).join { _ in }
        let deadlines = await source.watch.deadlines.first(5).compactMap(\.self)
        #expect(deadlines.count == 5)
        #expect(zip(deadlines, deadlines.dropFirst()).allSatisfy { $0 < $1 }, "\(deadlines)")
        withExtendedLifetime(joined) {}
    }

    @Test func `a session does not look up its source's tty, which could delay other receivers`()
        async
    {
        let source = AbsentSource()
        let updates = Witness<ReceiverUpdate>()
        let joined = ReceiverPool().session(for: source).join { updates.note($0) }
        await updates.wait { if case .condition(.waiting, _) = $0 { true } else { false } }
        #expect(source.lookups.all.isEmpty)
        withExtendedLifetime(joined) {}
    }
}
