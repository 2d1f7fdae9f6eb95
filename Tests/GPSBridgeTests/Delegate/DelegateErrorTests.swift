// SPDX-License-Identifier: MIT
import GPSBridge
import GPSReceivers
import GPSTestSupport
import Testing

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
