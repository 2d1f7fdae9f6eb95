// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GPSBridge
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

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
