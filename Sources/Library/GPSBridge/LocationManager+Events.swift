// SPDX-License-Identifier: MIT
public import Delegation
public import GNSS
import Synchronization

/// Provides the manager's delegate methods as events, and its settings as observable properties.
///
///     manager.events.didUpdateLocations.subscribe { print($0) }
///     for await filter in manager.events.distanceFilter.values() { … }
///
/// `manager.didUpdateLocations` is the same as `manager.events.didUpdateLocations.values()`. An
/// observer stays attached if its subscription is released, so its closure must not retain the
/// manager.
extension EventNamespace where Base == LocationManager {
    /// New locations: at least one, oldest first.
    public var didUpdateLocations: MethodEvent<[Location]> { base.proxy.didUpdateLocations }

    /// New headings, after `startUpdatingHeading()`.
    public var didUpdateHeading: MethodEvent<Heading> { base.proxy.didUpdateHeading }

    /// Changes of the integrity of a receiver's position.
    public var didChangeIntegrity: MethodEvent<Integrity> { base.proxy.didChangeIntegrity }

    /// Errors that explain why locations are unavailable.
    public var didFailWithError: MethodEvent<LocationError> { base.proxy.didFailWithError }

    /// Changes of the permission to read the receiver.
    public var didChangeAuthorization: MethodEvent<AuthorizationStatus> {
        base.proxy.didChangeAuthorization
    }

    /// Sent when the receiver is lost. The manager waits for its return.
    public var didPauseLocationUpdates: MethodEvent<Void> { base.proxy.didPauseLocationUpdates }

    /// Sent when a lost receiver has returned.
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
    /// Returns a setting as an observable property. A value written through the property is not
    /// sent to its observers.
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
