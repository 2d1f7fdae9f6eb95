// SPDX-License-Identifier: MIT
public import Delegation

/// Stands in for a location manager's delegate: every call is an event as well.
///
/// Events come at once, on the thread that reads the receiver; the delegate is called on the
/// manager's queue, so that a slow delegate holds no stream up.
public final class LocationManagerProxy: DelegateProxyType, LocationManagerDelegate {
    /// What every proxy is built on.
    public let base: DelegateProxy<LocationManager, any LocationManagerDelegate>

    /// `locationManager(_:didUpdateLocations:)`.
    public let didUpdateLocations: MethodEvent<[Location]>
    /// `locationManager(_:didFailWithError:)`.
    public let didFailWithError: MethodEvent<LocationError>
    /// `locationManagerDidChangeAuthorization(_:)`.
    public let didChangeAuthorization: MethodEvent<AuthorizationStatus>
    /// `locationManagerDidPauseLocationUpdates(_:)`.
    public let didPauseLocationUpdates: MethodEvent<Void>
    /// `locationManagerDidResumeLocationUpdates(_:)`.
    public let didResumeLocationUpdates: MethodEvent<Void>

    init(_ base: DelegateProxy<LocationManager, any LocationManagerDelegate>) {
        self.base = base
        didUpdateLocations = base.event("didUpdateLocations")
        didFailWithError = base.event("didFailWithError", essential: true)
        didChangeAuthorization = base.event("didChangeAuthorization", essential: true)
        didPauseLocationUpdates = base.event("didPauseLocationUpdates", essential: true)
        didResumeLocationUpdates = base.event("didResumeLocationUpdates", essential: true)
    }

    /// One proxy serves the class.
    public static func registerKnownImplementations() {
        register { LocationManagerProxy($0) }
    }

    /// Relays the call.
    public func locationManager(
        _ manager: LocationManager, didUpdateLocations locations: [Location]
    ) {
        relay(didUpdateLocations, locations, on: manager.deliveries) {
            $0.locationManager(manager, didUpdateLocations: locations)
        }
    }

    /// Relays the call.
    public func locationManager(_ manager: LocationManager, didFailWithError error: LocationError) {
        relay(didFailWithError, error, on: manager.deliveries) {
            $0.locationManager(manager, didFailWithError: error)
        }
    }

    /// Relays the call.
    public func locationManagerDidChangeAuthorization(_ manager: LocationManager) {
        relay(didChangeAuthorization, manager.authorizationStatus, on: manager.deliveries) {
            $0.locationManagerDidChangeAuthorization(manager)
        }
    }

    /// Relays the call.
    public func locationManagerDidPauseLocationUpdates(_ manager: LocationManager) {
        relay(didPauseLocationUpdates, (), on: manager.deliveries) {
            $0.locationManagerDidPauseLocationUpdates(manager)
        }
    }

    /// Relays the call.
    public func locationManagerDidResumeLocationUpdates(_ manager: LocationManager) {
        relay(didResumeLocationUpdates, (), on: manager.deliveries) {
            $0.locationManagerDidResumeLocationUpdates(manager)
        }
    }
}
