// SPDX-License-Identifier: MIT
public import Delegation

/// Stands in for a location manager's delegate: every call is an event as well.
///
/// Events are sent on the thread that reads the receiver. The delegate is called on the manager's
/// queue, or on the main queue if it is on the main actor, so a slow delegate delays no stream.
public final class LocationManagerProxy: DelegateProxyType, LocationManagerDelegate {
    /// The proxy's base.
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
        didUpdateLocations = base.event("didUpdateLocations", flow: base.host?.member.flow)
        didFailWithError = base.event("didFailWithError", essential: true)
        didChangeAuthorization = base.event("didChangeAuthorization", essential: true)
        didPauseLocationUpdates = base.event("didPauseLocationUpdates", essential: true)
        didResumeLocationUpdates = base.event("didResumeLocationUpdates", essential: true)
    }

    /// Registers this class as the only proxy of location managers.
    public static func registerKnownImplementations() {
        register { LocationManagerProxy($0) }
    }

    /// Relays the call.
    public func locationManager(
        _ manager: LocationManager, didUpdateLocations locations: [Location]
    ) {
        let run = manager.currentRun
        relay(didUpdateLocations, locations, on: manager.deliveries) {
            manager.deliver(to: $0, ofRun: run) {
                $0.locationManager($1, didUpdateLocations: locations)
            }
        }
    }

    /// Relays the call; what is no `LocationError` counts as `.locationUnknown`.
    public func locationManager(_ manager: LocationManager, didFailWithError error: any Error) {
        let run = manager.currentRun
        let error = error as? LocationError ?? LocationError(.locationUnknown)
        relay(didFailWithError, error, on: manager.deliveries) {
            manager.deliver(to: $0, ofRun: run, essential: true) {
                $0.locationManager($1, didFailWithError: error)
            }
        }
    }

    /// Relays the call.
    public func locationManagerDidChangeAuthorization(_ manager: LocationManager) {
        relay(didChangeAuthorization, manager.authorizationStatus, on: manager.deliveries) {
            manager.deliver(to: $0, essential: true) {
                $0.locationManagerDidChangeAuthorization($1)
            }
        }
    }

    /// Relays the call.
    public func locationManagerDidPauseLocationUpdates(_ manager: LocationManager) {
        let run = manager.currentRun
        relay(didPauseLocationUpdates, (), on: manager.deliveries) {
            manager.deliver(to: $0, ofRun: run, essential: true) {
                $0.locationManagerDidPauseLocationUpdates($1)
            }
        }
    }

    /// Relays the call.
    public func locationManagerDidResumeLocationUpdates(_ manager: LocationManager) {
        let run = manager.currentRun
        relay(didResumeLocationUpdates, (), on: manager.deliveries) {
            manager.deliver(to: $0, ofRun: run, essential: true) {
                $0.locationManagerDidResumeLocationUpdates($1)
            }
        }
    }
}
