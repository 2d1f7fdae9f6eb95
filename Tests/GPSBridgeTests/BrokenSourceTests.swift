// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GNSS
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
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

/// The time after which a receiver without output counts as silent.
@Suite(.timeLimit(.generous))
struct SilenceWatchTests {
    private let start = MonotonicInstant.now

    /// Watches epochs that arrive the given seconds after the start.
    private func watch(_ epochs: [Double]) -> SilenceWatch {
        var watch = SilenceWatch(at: start)
        for second in epochs { watch.receivedEpoch(at: instant(second)) }
        return watch
    }

    private func instant(_ second: Double) -> MonotonicInstant {
        start + .milliseconds(Int(second * 1000))
    }

    @Test(
        arguments: [
            ([0], 10), ([0, 1, 2, 3], 13), ([0, 0.1, 0.2], 10.2), ([0, 6, 12, 18], 48),
            // Two reports per minute that arrive together.
            ([0, 0.5, 60, 60.5], 209.25),
            // A gap does not count as a cycle for long.
            ([0, 1, 31, 32, 33, 34, 35, 36], 46),
            // Intervals above a minute count as a minute.
            ([0, 100, 200], 500),
        ] as [([Double], Double)])
    func `a receiver is silent after ten seconds or five cycles`(epochs: [Double], end: Double) {
        var watch = watch(epochs)
        #expect(watch.silence(at: instant(end - 0.001)) == nil)
        #expect(watch.silence(at: instant(end)) == Int(end - (epochs.last ?? 0)))
        #expect(watch.silence(at: instant(end + 100)) == nil, "reported once")
        #expect(watch.deadline == nil)
        watch.receivedEpoch(at: instant(end + 100))
        #expect(watch.deadline != nil)
    }

    @Test func `a receiver without any epoch is silent after a minute, unless it may have none`() {
        var watch = SilenceWatch(at: start)
        #expect(watch.silence(at: instant(59.999)) == nil)
        #expect(watch.silence(at: instant(60)) == 60)
        #expect(watch.deadline == nil)
        var other = SilenceWatch(at: start)
        #expect(other.silence(at: instant(60), mayHaveNoEpoch: true) == nil)
        #expect(other.deadline == nil)
        other.receivedEpoch(at: instant(70))
        #expect(other.silence(at: instant(80), mayHaveNoEpoch: true) == 10)
    }
}

/// A file waits for its readers; nothing is lost, and nothing waits forever.
@Suite(.timeLimit(.generous), .repeated)
struct WaitingSourceTests {
    private static let count = 2000
    private static let bytes = (0..<count).flatMap { ScriptedReceiver.epoch($0) }

    /// A manager whose source waits for a loop for any time that a busy machine takes to start it.
    private func patientManager(_ source: any DeviceSource) -> LocationManager {
        LocationManager(
            sources: [source], queue: nil, member: SessionMember(unreadLimit: .seconds(3600)))
    }

    @Test func `a file waits for a loop that starts late`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", Self.bytes)
        let manager = patientManager(.file(path, speed: .infinity))
        let (stream, sent) = (manager.didUpdateLocations, Witness<Int>())
        manager.proxy.didUpdateLocations.observe { sent.note($0.count) }
        manager.startUpdatingLocation()
        _ = await sent.first(128)
        #expect(await countLocations(of: stream) == Self.count)
        #expect(stream.droppedCount == 0)
    }

    @Test func `a pipe waits for a loop that starts late`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        mkfifo(path, 0o600)
        let manager = patientManager(.pipe(path))
        let (stream, sent) = (manager.didUpdateLocations, Witness<Int>())
        manager.proxy.didUpdateLocations.observe { sent.note($0.count) }
        manager.startUpdatingLocation()
        DispatchQueue(label: "test.writer").async {
            let fd = open(path, O_WRONLY | O_CLOEXEC)
            var rest = Self.bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(fd, $0.baseAddress, $0.count) }
                guard count > 0 else { break }
                rest = rest.dropFirst(count)
            }
            close(fd)
        }
        _ = await sent.first(128)
        #expect(await countLocations(of: stream) == Self.count)
    }

    @Test func `a file waits for a slow delegate`() async throws {
        let manager = LocationManager(source: .bytes(Self.bytes))
        let delegate = GatedDelegate()
        manager.delegate = delegate
        let sent = Witness<Int>()
        manager.proxy.didUpdateLocations.observe { sent.note($0.count) }
        manager.startUpdatingLocation()
        _ = await sent.first(128)
        delegate.gate.open()
        #expect(await delegate.counts.first(Self.count).count == Self.count)
        #expect(manager.droppedDelegateCalls == 0)
    }

    @Test func `a file waits for a loop over failures`() async throws {
        // A fix is lost with every second epoch.
        let bytes = (0..<1000).flatMap {
            ScriptedReceiver.epoch($0, quality: $0 % 2 == 0 ? .autonomous : .invalid)
        }
        let manager = patientManager(.bytes(bytes))
        let (stream, sent) = (manager.didFailWithError, Witness<LocationError>())
        manager.proxy.didFailWithError.observe { sent.note($0) }
        manager.startUpdatingLocation()
        _ = await sent.first(128)
        var count = 0
        for await error in stream where error.code == .locationUnknown { count += 1 }
        #expect(count == 500)
        #expect(stream.droppedCount == 0)
    }

    @Test func `observers of the calls after the delegate get all values, then the end`()
        async throws
    {
        let manager = LocationManager(source: .bytes(Self.bytes))
        let (gate, counts) = (Gate(), Witness<Int>())
        let end = Promise<Int>()
        manager.proxy.didUpdateLocations.methodInvoked.observe({
            gate.pass()
            counts.note($0.count)
        }) { end.fulfill(counts.all.count) }
        let sent = Witness<Int>()
        manager.proxy.didUpdateLocations.observe { sent.note($0.count) }
        manager.startUpdatingLocation()
        _ = await sent.first(64)
        gate.open()
        #expect(try await end.value == Self.count)
    }

    @Test @MainActor
    func `a file waits for a delegate on the main actor`() async throws {
        let manager = LocationManager(source: .bytes(Self.bytes))
        let delegate = CountingDelegate()
        manager.delegate = delegate
        manager.startUpdatingLocation()
        #expect(await delegate.counts.first(Self.count).last == Self.count)
        #expect(manager.droppedDelegateCalls == 0)
    }

    @Test func `reading a file waits for a slow closure`() async throws {
        let manager = LocationManager(source: .bytes(Self.bytes))
        let (gate, counts, sent) = (Gate(), Witness<Int>(), Witness<Int>())
        let subscription = manager.events.didUpdateLocations.subscribe {
            gate.pass()
            counts.note($0.count)
        }
        manager.proxy.didUpdateLocations.observe { sent.note($0.count) }
        manager.startUpdatingLocation()
        _ = await sent.first(128)
        gate.open()
        #expect(await counts.first(Self.count).count == Self.count)
        withExtendedLifetime(subscription) {}
    }

    @Test func `live updates get every location of a file`() async throws {
        let updates = Location.liveUpdates(source: .bytes(Self.bytes))
        var count = 0
        for await update in updates where update.location != nil {
            count += 1
            if count % 100 == 0 { for _ in 0..<100 { await Task.yield() } }
        }
        #expect(count == Self.count)
        #expect(updates.droppedCount == 0)
    }

    @Test func `an unread stream delays a file only for a limited time`() async throws {
        let manager = LocationManager(
            sources: [.bytes(Self.bytes)], queue: nil,
            member: SessionMember(unreadLimit: .milliseconds(50)))
        let (unread, stream) = (manager.didUpdateLocations, manager.didUpdateLocations)
        // The loop begins before the file is read, so that its stream never counts as unread.
        var iterator = stream.makeAsyncIterator()
        manager.startUpdatingLocation()
        var count = 0
        while let locations = await iterator.next() { count += locations.count }
        #expect(count == Self.count)
        #expect(stream.droppedCount == 0)
        #expect(unread.droppedCount == Self.count - 256)
    }

    @Test func `a file does not wait for a manager that has stopped`() async throws {
        let manager = patientManager(.bytes(Self.bytes))
        let (stream, sent) = (manager.didUpdateLocations, Witness<Int>())
        manager.proxy.didUpdateLocations.observe { sent.note($0.count) }
        manager.startUpdatingLocation()
        _ = await sent.first(128)
        manager.stopUpdatingLocation()
        // Read from its beginning again by a separate session.
        manager.startUpdatingLocation()
        #expect(await countLocations(of: stream) >= Self.count)
    }
}

/// A delegate that returns from its first call only when it is released.
private final class GatedDelegate: LocationManagerDelegate, Sendable {
    let (gate, counts) = (Gate(), Witness<Int>())

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        gate.pass()
        counts.note(locations.count)
    }
}

@MainActor
private final class CountingDelegate: @MainActor LocationManagerDelegate {
    nonisolated let counts = Witness<Int>()
    private var count = 0

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        count += locations.count
        counts.note(count)
    }
}
