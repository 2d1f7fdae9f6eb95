// SPDX-License-Identifier: MIT
public import Delegation
public import GNSS
import Synchronization

/// The manager's delegate methods as events, and its settings as observable properties.
///
///     manager.events.didUpdateLocations.subscribe { print($0) }
///     for await filter in manager.events.distanceFilter.values() { … }
extension EventNamespace where Base == LocationManager {
    /// New locations: at least one, oldest first.
    public var didUpdateLocations: MethodEvent<[Location]> { base.proxy.didUpdateLocations }

    /// New headings.
    public var didUpdateHeading: MethodEvent<Heading> { base.proxy.didUpdateHeading }

    /// Changes of the evidence against a receiver's position.
    public var didChangeIntegrity: MethodEvent<Integrity> { base.proxy.didChangeIntegrity }

    /// The reasons why locations are unavailable for now.
    public var didFailWithError: MethodEvent<LocationError> { base.proxy.didFailWithError }

    /// Changes of the permission to read the receiver.
    public var didChangeAuthorization: MethodEvent<AuthorizationStatus> {
        base.proxy.didChangeAuthorization
    }

    /// Losses of the receiver, for which the manager then waits.
    public var didPauseLocationUpdates: MethodEvent<Void> { base.proxy.didPauseLocationUpdates }

    /// Returns of a lost receiver.
    public var didResumeLocationUpdates: MethodEvent<Void> { base.proxy.didResumeLocationUpdates }

    /// The distance filter in metres.
    public var distanceFilter: ControlProperty<Double> {
        base.control(base.distanceFilterChanges, \.distanceFilter)
    }

    /// The heading filter in degrees.
    public var headingFilter: ControlProperty<Double> {
        base.control(base.headingFilterChanges, \.headingFilter)
    }

    /// The accuracy in metres that `requestLocation` waits for.
    public var desiredAccuracy: ControlProperty<Double> {
        base.control(base.desiredAccuracyChanges, \.desiredAccuracy)
    }
}

extension LocationManager {
    /// Returns an observable property. Values written through it are not sent to its own observers.
    fileprivate func control(
        _ changes: Event<Double>,
        _ setting: any WritableKeyPath<LocationManagerState, Double> & Sendable
    ) -> ControlProperty<Double> {
        ControlProperty(
            changes: changes, on: .immediate,
            get: { [weak self] in self?.state.withLock { $0[keyPath: setting] } },
            set: { [weak self] value in self?.state.withLock { $0[keyPath: setting] = value } })
    }
}
