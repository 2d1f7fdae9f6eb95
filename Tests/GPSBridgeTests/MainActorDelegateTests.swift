// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GPSBridge
import GPSReceivers
import GPSTestSupport
import Testing

/// A delegate on the main actor, which counts without a lock.
@MainActor
private final class MainActorDelegate: @MainActor LocationManagerDelegate {
    var count = 0
    nonisolated let seconds = Witness<Int?>()
    nonisolated let failures = Witness<LocationError.Code>()
    nonisolated let authorizations = Witness<AuthorizationStatus>()

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        MainActor.preconditionIsolated()
        count += locations.count
        for location in locations { seconds.note(location.fix.time?.time.second) }
    }

    func locationManager(_ manager: LocationManager, didFailWithError error: any Error) {
        MainActor.preconditionIsolated()
        if let error = error as? LocationError { failures.note(error.code) }
    }

    func locationManagerDidChangeAuthorization(_ manager: LocationManager) {
        MainActor.preconditionIsolated()
        authorizations.note(manager.authorizationStatus)
    }
}

/// A delegate that asserts the main actor at run time.
@MainActor
private final class PreconcurrencyDelegate: @preconcurrency LocationManagerDelegate {
    var count = 0
    nonisolated let counts = Witness<Int>()

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        count += locations.count
        counts.note(count)
    }
}

@Suite(.timeLimit(.generous), .repeated)
struct MainActorDelegateTests {
    private static func track(_ folder: TemporaryFolder, _ count: Int = 6) throws -> FileSource {
        let bytes = (0..<count).flatMap { ScriptedReceiver.epoch($0) }
        return .file(try folder.file("track.nmea", bytes), speed: .infinity)
    }

    @Test(arguments: [nil, DispatchQueue.main, DispatchQueue(label: "test")])
    @MainActor
    func `a delegate on the main actor is called there for every queue of the manager`(
        _ queue: DispatchQueue?
    ) async throws {
        let folder = try TemporaryFolder()
        let manager = LocationManager(source: try Self.track(folder), queue: queue)
        let delegate = MainActorDelegate()
        manager.delegate = delegate
        manager.startUpdatingLocation()
        #expect(await delegate.seconds.first(6) == [0, 1, 2, 3, 4, 5])
        #expect(delegate.count == 6)
        #expect(delegate.authorizations.all.count == 2)
        #expect(delegate.authorizations.all.last == .authorizedAlways)
    }

    @Test @MainActor
    func `delegates on the main actor and on the manager's queue are called independently`()
        async throws
    {
        let folder = try TemporaryFolder()
        let manager = LocationManager(source: try Self.track(folder))
        let (first, second) = (MainActorDelegate(), MainActorDelegate())
        let (other, another) = (RecordingDelegate(), RecordingDelegate())
        manager.delegate = first
        manager.proxy.addDelegate(other)
        manager.proxy.addDelegate(second)
        manager.proxy.addDelegate(another)
        manager.startUpdatingLocation()
        for delegate in [first, second] {
            #expect(await delegate.seconds.first(6) == [0, 1, 2, 3, 4, 5])
        }
        for delegate in [other, another] {
            _ = await delegate.calls.first(7)
            #expect(delegate.locations.map { $0.fix.time?.time.second } == [0, 1, 2, 3, 4, 5])
        }
    }

    @Test @MainActor
    func `a delegate removed on the main actor is not called again`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let manager = LocationManager(source: receiver.source)
        let delegate = MainActorDelegate()
        let stream = manager.didUpdateLocations
        manager.delegate = delegate
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        for second in 0..<4 { await receiver.sendEpoch(second) }
        _ = await delegate.seconds.first(1)
        manager.delegate = nil
        let count = delegate.count
        for second in 4..<8 { await receiver.sendEpoch(second) }
        _ = await collect(6, from: stream)
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
        #expect(delegate.count == count)
    }

    @Test @MainActor
    func `an assumed conformance works with the main queue`() async throws {
        let folder = try TemporaryFolder()
        let manager = LocationManager(source: try Self.track(folder), queue: .main)
        let delegate = PreconcurrencyDelegate()
        manager.delegate = delegate
        manager.startUpdatingLocation()
        #expect(await delegate.counts.first(6) == [1, 2, 3, 4, 5, 6])
    }
}
