// SPDX-License-Identifier: MIT
public import Delegation
import Synchronization

/// The manager's delegate methods as events to subscribe to, and its settings as properties to follow.
///
///     manager.events.didUpdateLocations.subscribe { print($0) }
///     for await filter in manager.events.distanceFilter.values() { … }
extension EventNamespace where Base == LocationManager {
    /// New locations: at least one, oldest first.
    public var didUpdateLocations: MethodEvent<[Location]> { base.proxy.didUpdateLocations }

    /// New headings.
    public var didUpdateHeading: MethodEvent<Heading> { base.proxy.didUpdateHeading }

    /// The reason why locations are unavailable for now.
    public var didFailWithError: MethodEvent<LocationError> { base.proxy.didFailWithError }

    /// Changes of whether the receiver may be read.
    public var didChangeAuthorization: MethodEvent<AuthorizationStatus> {
        base.proxy.didChangeAuthorization
    }

    /// The receiver is gone, and waited for.
    public var didPauseLocationUpdates: MethodEvent<Void> { base.proxy.didPauseLocationUpdates }

    /// The receiver is back.
    public var didResumeLocationUpdates: MethodEvent<Void> { base.proxy.didResumeLocationUpdates }

    /// Metres to move before the next location is sent.
    public var distanceFilter: ControlProperty<Double> {
        base.control(base.distanceFilterChanges, \.distanceFilter)
    }

    /// Degrees to turn before the next heading is sent.
    public var headingFilter: ControlProperty<Double> {
        base.control(base.headingFilterChanges, \.headingFilter)
    }

    /// Metres that `requestLocation` waits for.
    public var desiredAccuracy: ControlProperty<Double> {
        base.control(base.desiredAccuracyChanges, \.desiredAccuracy)
    }
}

extension LocationManager {
    /// A setting that can be followed; what is written through it is not echoed.
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
