// SPDX-License-Identifier: MIT
import GNSS
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Synchronization
import Testing

/// A source that cannot be opened at first, and cannot be waited for.
private struct ReluctantSource: DeviceSource {
    /// The errors of the first attempts to open.
    let failures: Failures
    let recording: BytesSource

    init(_ failures: [DeviceError]) {
        self.failures = Failures(failures)
        recording = BytesSource((0..<3).flatMap { ScriptedReceiver.epoch($0) })
    }

    let name = "reluctant"
    let identity = SourceIdentity.unique()
    var origin: DataOrigin { .replay }
    var replaySpeed: Double { .infinity }

    func open() async throws(DeviceError) -> any DeviceConnection {
        if let failure = failures.takeFirst() { throw failure }
        return try await recording.open()
    }
}

/// The state shared by copies of a source.
private final class Failures: Sendable {
    private let errors: Mutex<[DeviceError]>

    init(_ errors: [DeviceError]) { self.errors = Mutex(errors) }

    func takeFirst() -> DeviceError? {
        errors.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}

@Suite(.timeLimit(.generous))
struct RecoveryTests {
    private static let full = DeviceError(.tooManyOpenFiles, device: "reluctant", errno: EMFILE)

    @Test func `a file that was missing is read after stop and start`() async throws {
        let folder = try TemporaryFolder()
        let manager = LocationManager(
            source: .file(folder.path("late.nmea"), speed: .infinity))
        let delegate = RecordingDelegate(of: manager)
        manager.startUpdatingLocation()
        await delegate.calls.wait { $0 == .failure(.ended) }
        manager.stopUpdatingLocation()
        _ = try folder.file("late.nmea", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()
        #expect(await countLocations(of: stream) == 3)
    }

    @Test func `a second start without a stop retries, also a start of headings`() async {
        let manager = LocationManager(source: ReluctantSource([Self.full, Self.full]))
        let delegate = RecordingDelegate(of: manager)
        manager.startUpdatingLocation()
        await delegate.calls.wait { $0 == .failure(.ended) }
        manager.startUpdatingHeading()
        while delegate.calls.all.count(where: { $0 == .failure(.ended) }) < 2 {
            await Task.yield()
        }
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()
        #expect(await countLocations(of: stream) == 3)
    }

    @Test func `each request retries, also while updates wait`() async throws {
        for isUpdating in [false, true] {
            let manager = LocationManager(source: ReluctantSource([Self.full, Self.full]))
            let delegate = RecordingDelegate(of: manager)
            if isUpdating {
                manager.startUpdatingLocation()
                await delegate.calls.wait { $0 == .failure(.ended) }
            }
            for _ in isUpdating ? 1..<2 : 0..<2 {
                let error = await #expect(throws: LocationError.self) {
                    try await manager.requestLocation(timeout: .seconds(600))
                }
                #expect(error?.cause?.code == .tooManyOpenFiles)
            }
            let location = try await manager.requestLocation(timeout: .seconds(600))
            #expect(location.horizontalAccuracy > 0)
        }
    }

    @Test func `every one of many receivers recovers`() async throws {
        let managers = (0..<133).map { _ in
            LocationManager(source: ReluctantSource([Self.full]))
        }
        for manager in managers {
            await #expect(throws: LocationError.self) { try await manager.requestLocation() }
        }
        var count = 0
        for manager in managers {
            count += try await manager.requestLocation().horizontalAccuracy > 0 ? 1 : 0
        }
        #expect(count == 133)
    }

    @Test func `a source that was read to its end is not read again`() async {
        let manager = LocationManager(source: ReluctantSource([]))
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()
        for await _ in stream {}
        manager.stopUpdatingLocation()
        manager.startUpdatingLocation()
        for await _ in manager.didUpdateLocations { Issue.record("it is over") }
    }

    @Test func `a silent receiver is reported once and has no location until it returns`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let stepped = SteppedPool()
        defer { stepped.stop() }
        let manager = stepped.manager(of: receiver)
        let delegate = RecordingDelegate(of: manager)
        manager.startUpdatingLocation()
        /// Waits for a location further north.
        func newLocation(than last: Double) async {
            await delegate.calls.wait {
                if case .locations(let new) = $0 {
                    new[0].coordinate.latitude > last
                } else {
                    false
                }
            }
        }
        await receiver.sendEpochs { await newLocation(than: 0) }
        await stepped.advance(untilUnknownTo: delegate)
        let last = try #require(delegate.locations.last).coordinate.latitude
        try await receiver.sendEpochs {
            _ = try await manager.requestLocation()  // waits for the receiver
            await newLocation(than: last)
        }
        #expect(delegate.calls.all.count { $0 == .failure(.locationUnknown) } == 1)
    }

    @Test func `a receiver that sends nothing is reported`() async throws {
        let receiver = try ScriptedReceiver()
        let stepped = SteppedPool()
        defer { stepped.stop() }
        let manager = stepped.manager(of: receiver)
        let delegate = RecordingDelegate(of: manager)
        let errors = manager.didFailWithError
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        await stepped.advance(untilUnknownTo: delegate)
        for await error in errors.prefix(1) { #expect(error.cause?.code == .silent) }
    }

    @Test func `a request names the silence of a receiver as the reason that it failed`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let stepped = SteppedPool()
        defer { stepped.stop() }
        let manager = stepped.manager(of: receiver)
        let changes = manager.didChangeAuthorization
        manager.startUpdatingLocation()
        for await status in changes where status == .authorizedAlways { break }
        let errors = Witness<LocationError>()
        let request = Task {
            do {
                _ = try await manager.requestLocation(timeout: .seconds(20))
            } catch let error as LocationError {
                errors.note(error)
            }
        }
        while errors.all.isEmpty, !Task.isCancelled {
            stepped.clock.advance(by: .seconds(1))
            await Task.yield()
        }
        try await request.value
        #expect(errors.all.first?.code == .timedOut)
        #expect(errors.all.first?.cause?.code == .silent)
    }

    @Test func `a missing fix is reported at each start of updates besides headings`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let stepped = SteppedPool()
        defer { stepped.stop() }
        let manager = stepped.manager(of: receiver)
        let delegate = RecordingDelegate(of: manager)
        manager.startUpdatingHeading()
        await receiver.waitForReader()
        var second = 0
        func sendVoid() async {
            await receiver.sendEpoch(second, quality: .invalid)
            second += 1
            stepped.clock.advance(by: .seconds(1))
            await Task.yield()
        }
        var reports: Int { delegate.calls.all.count { $0 == .failure(.locationUnknown) } }
        for run in 0..<3 {
            for _ in 0..<200 { await sendVoid() }
            #expect(reports == run)
            manager.startUpdatingLocation()
            // More than the tty holds, so some are read after the start. After a day, a missing fix
            // is reported again, so the clock does not advance while the delegate may be late.
            for _ in 0..<200 { await sendVoid() }
            var count = 0
            await delegate.calls.wait {
                count += $0 == .failure(.locationUnknown) ? 1 : 0
                return count > run
            }
            #expect(reports == run + 1)
            manager.stopUpdatingLocation()
        }
    }

    @Test func `a silent receiver is reported when updates start after headings`() async throws {
        let receiver = try ScriptedReceiver()
        let stepped = SteppedPool()
        defer { stepped.stop() }
        let managers = [receiver, receiver].map { stepped.manager(of: $0) }
        let delegates = managers.map { RecordingDelegate(of: $0) }
        managers[0].startUpdatingHeading()
        // It joins later, so it is notified last of the silence.
        managers[1].startUpdatingLocation()
        await receiver.waitForReader()
        await stepped.advance(untilUnknownTo: delegates[1])
        #expect(!delegates[0].calls.all.contains(.failure(.locationUnknown)))
        managers[0].startUpdatingLocation()
        await delegates[0].calls.wait { $0 == .failure(.locationUnknown) }
    }
}
