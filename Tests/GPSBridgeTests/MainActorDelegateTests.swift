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

/// Every spelling of `didFailWithError` that compiles is called once for each error.
@Suite(.timeLimit(.generous))
struct DelegateErrorTests {
    fileprivate class Notes: @unchecked Sendable {
        // Safety: a witness is Sendable, and never replaced.
        let errors = Witness<LocationError>()
    }

    private final class Typed: Notes, LocationManagerDelegate, @unchecked Sendable {
        func locationManager(_ manager: LocationManager, didFailWithError error: LocationError) {
            errors.note(error)
        }
    }

    private final class AnyError: Notes, LocationManagerDelegate, @unchecked Sendable {
        func locationManager(_ manager: LocationManager, didFailWithError error: any Error) {
            if let error = error as? LocationError { errors.note(error) }
        }
    }

    private final class SomeError: Notes, LocationManagerDelegate, @unchecked Sendable {
        func locationManager(_ manager: LocationManager, didFailWithError error: some Error) {
            if let error = error as? LocationError { errors.note(error) }
        }
    }

    private final class Both: Notes, LocationManagerDelegate, @unchecked Sendable {
        func locationManager(_ manager: LocationManager, didFailWithError error: LocationError) {
            errors.note(error)
        }

        func locationManager(_ manager: LocationManager, didFailWithError error: any Error) {
            Issue.record("both are called")
        }
    }

    /// Adopts the protocol in an extension, as many programs do.
    fileprivate final class Extended: Notes, @unchecked Sendable {}

    private class Base: Notes, LocationManagerDelegate, @unchecked Sendable {
        func locationManager(_ manager: LocationManager, didFailWithError error: LocationError) {
            Issue.record("the override is called")
        }
    }

    private final class Override: Base, @unchecked Sendable {
        override func locationManager(
            _ manager: LocationManager, didFailWithError error: LocationError
        ) {
            errors.note(error)
        }
    }

    @Test func `each spelling of didFailWithError is called once`() async throws {
        try await expectCalls(Typed())
        try await expectCalls(AnyError())
        try await expectCalls(SomeError())
        try await expectCalls(Both())
        try await expectCalls(Extended())
        try await expectCalls(Override())
    }

    private func expectCalls(_ delegate: some Notes & LocationManagerDelegate) async throws {
        let manager = LocationManager(source: .serial("/dev/serial/by-id/nothing"))
        manager.delegate = delegate
        manager.startUpdatingLocation()
        #expect(await delegate.errors.first(1).map(\.code) == [.deviceUnavailable])
        let denied = LocationError(.denied)
        manager.proxy.locationManager(manager, didFailWithError: denied)
        // For programs that call the proxy themselves, as in mocks.
        manager.proxy.locationManager(manager, didFailWithError: denied as any Error)
        #expect(await delegate.errors.first(3).dropFirst() == [denied, denied])
        manager.stopUpdatingLocation()
    }

    @MainActor
    private final class Model: @MainActor LocationManagerDelegate {
        let errors = Witness<LocationError>()

        func locationManager(_ manager: LocationManager, didFailWithError error: LocationError) {
            MainActor.preconditionIsolated()
            errors.note(error)
        }
    }

    @MainActor @Test func `a model on the main actor receives a LocationError there`() async {
        let manager = LocationManager(source: .serial("/dev/serial/by-id/nothing"))
        let model = Model()
        manager.delegate = model
        manager.startUpdatingLocation()
        #expect(await model.errors.first(1).map(\.code) == [.deviceUnavailable])
        manager.stopUpdatingLocation()
    }
}

extension DelegateErrorTests.Extended: LocationManagerDelegate {
    fileprivate func locationManager(
        _ manager: LocationManager, didFailWithError error: LocationError
    ) {
        errors.note(error)
    }
}

@globalActor private actor OtherActor {
    static let shared = OtherActor()
}

/// A delegate on a global actor whose executor is not a queue.
@OtherActor private final class OtherActorDelegate: @OtherActor LocationManagerDelegate {
    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        Issue.record("called off its actor")
    }
}

/// A supported delegate on another global actor: nonisolated methods that switch to it.
@OtherActor private final class HoppingDelegate: LocationManagerDelegate {
    private var count = 0
    nonisolated let counts = Witness<Int>()

    nonisolated func locationManager(
        _ manager: LocationManager, didUpdateLocations locations: [Location]
    ) {
        Task { @OtherActor in
            count += locations.count
            counts.note(count)
        }
    }
}

@Suite(.timeLimit(.generous))
struct OtherActorDelegateTests {
    @Test func `a delegate on another global actor stops the program`() async {
        await #expect(processExitsWith: .failure) {
            await follow(queue: nil)
        }
    }

    @Test func `a delegate on another global actor stops the program also with the main queue`()
        async
    {
        await #expect(processExitsWith: .failure) {
            await follow(queue: .main)
        }
    }

    @Test func `a delegate on another global actor that is added to the proxy stops the program`()
        async
    {
        await #expect(processExitsWith: .failure) {
            await follow(queue: nil, addsToProxy: true)
        }
    }

    @Test @OtherActor
    func `a nonisolated delegate can switch to its own global actor`() async {
        let bytes = (0..<6).flatMap { ScriptedReceiver.epoch($0) }
        let manager = LocationManager(source: .bytes(bytes))
        let delegate = HoppingDelegate()
        manager.delegate = delegate
        manager.startUpdatingLocation()
        #expect(await delegate.counts.first(6) == [1, 2, 3, 4, 5, 6])
    }
}

/// Assigns a delegate of another actor, or adds it to the proxy. Waits forever unless the first call
/// ends the process.
@OtherActor private func follow(queue: DispatchQueue?, addsToProxy: Bool = false) async {
    let manager = LocationManager(source: .bytes(ScriptedReceiver.epoch(0)), queue: queue)
    let delegate = OtherActorDelegate()
    if addsToProxy {
        manager.proxy.addDelegate(delegate)
        manager.startUpdatingLocation()
    } else {
        manager.delegate = delegate
    }
    await Witness<Int>().wait { _ in false }
    withExtendedLifetime((manager, delegate)) {}
}

/// A delegate that records its calls.
final class RecordingDelegate: LocationManagerDelegate, Sendable {
    enum Call: Equatable {
        case locations([Location])
        case failure(LocationError.Code)
        case authorization(AuthorizationStatus)
        case paused
        case resumed
    }

    let calls = Witness<Call>()

    /// The locations among the calls.
    var locations: [Location] {
        calls.all.flatMap { call -> [Location] in
            if case .locations(let locations) = call { return locations }
            return []
        }
    }

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        calls.note(.locations(locations))
    }

    func locationManager(_ manager: LocationManager, didFailWithError error: any Error) {
        if let error = error as? LocationError { calls.note(.failure(error.code)) }
    }

    func locationManagerDidChangeAuthorization(_ manager: LocationManager) {
        calls.note(.authorization(manager.authorizationStatus))
    }

    func locationManagerDidPauseLocationUpdates(_ manager: LocationManager) {
        calls.note(.paused)
    }

    func locationManagerDidResumeLocationUpdates(_ manager: LocationManager) {
        calls.note(.resumed)
    }
}

extension RecordingDelegate {
    /// Creates the delegate of a manager.
    convenience init(of manager: LocationManager) {
        self.init()
        manager.delegate = self
    }

    /// Waits for a call with a location that satisfies a condition.
    func waitForLocation(where isIt: (Location) -> Bool) async {
        await calls.wait { call in
            guard case .locations(let locations) = call else { return false }
            return locations.contains(where: isIt)
        }
    }
}
