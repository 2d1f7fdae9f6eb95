// SPDX-License-Identifier: MIT
import Delegation

/// Receives the updates of a `CLLocationManager`. Every method is optional.
///
/// Calls are made in order and never overlap. They are made on the main queue if the manager was
/// created on the main queue or the main actor, otherwise on a private serial queue of the manager.
///
/// There are three limitations compared with Apple's systems:
///
/// - A method is not called if it is implemented only in a subclass of the class that adopts the
///   protocol.
/// - A method is not called if its signature differs from the one in the protocol.
/// - In the Swift 6 language mode, a `@MainActor` class must adopt
///   `@preconcurrency CLLocationManagerDelegate`.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
    /// Reports new locations. `locations` has at least one element and starts with the oldest.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
    /// Reports a new location and the previous one; for the first location, both are the same. It is
    /// called only by the default implementation of `locationManager(_:didUpdateLocations:)`. So it
    /// is not called if you implement that method.
    func locationManager(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation,
        from oldLocation: CLLocation)
    /// Reports a new heading.
    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
    /// Reports that a location or heading is unavailable. After `CLError.locationUnknown`, running
    /// updates continue.
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
    /// Reports the authorization status after a change. It is called only by the default
    /// implementation of `locationManagerDidChangeAuthorization(_:)`. So it is not called if you
    /// implement that method.
    func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
    /// Reports that the receiver has entered a region.
    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
    /// Reports that the receiver has left a region.
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
    /// Reports whether the receiver is inside a region. Called after `requestState(for:)` and
    /// whenever the receiver enters or leaves a monitored region. Requests for the same region that
    /// wait for the first location are answered by one call.
    func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
    /// Reports that monitoring of a region has started.
    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
    /// Reports that a region cannot be monitored; see `CLLocationManager.startMonitoring(for:)`.
    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
        withError error: any Error)
    /// Never called, because visits are not detected.
    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)
    /// Never called, because beacons cannot be ranged.
    func locationManager(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint)
    /// Reports that beacons cannot be ranged. Called for each `startRangingBeacons(satisfying:)`.
    func locationManager(
        _ manager: CLLocationManager,
        didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint, error: any Error)
    /// Never called, because beacons cannot be ranged.
    func locationManager(
        _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
    )
    /// Reports that beacons cannot be ranged. Called for each `startRangingBeacons(in:)`.
    func locationManager(
        _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
        withError error: any Error)
    /// Reports that deferred updates are not supported. Called for each
    /// `allowDeferredLocationUpdates(untilTraveled:timeout:)`.
    func locationManager(
        _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?)
    /// Reports that `CLLocationManager.authorizationStatus` has changed. Also called when a
    /// delegate is assigned.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
    /// Never called. `locationManager(_:didFailWithError:)` reports the loss of a receiver.
    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
    /// Never called, because updates are never paused.
    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)
    /// Never called, because the calibration display does not exist on Linux.
    func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool
}

// Documented together.
/// Default implementations that make every method optional. Two of them call the older method that
/// they have replaced, and the others do nothing. If a proxy of the `Delegation` module lacks a
/// method, they call its delegate.
extension CLLocationManagerDelegate {
    /// Calls the older method `locationManager(_:didUpdateTo:from:)`, as on Apple's systems.
    public func locationManager(
        _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
    ) {
        passOn {
            $0.locationManager(manager, didUpdateLocations: locations)
        } orElse: {
            guard let new = locations.last else { return }
            locationManager(
                manager, didUpdateTo: new, from: manager.engine.previous(replacedBy: new))
        }
    }
    public func locationManager(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation,
        from oldLocation: CLLocation
    ) {
        passOn { $0.locationManager(manager, didUpdateTo: newLocation, from: oldLocation) }
    }
    public func locationManager(
        _ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading
    ) {
        passOn { $0.locationManager(manager, didUpdateHeading: newHeading) }
    }
    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        passOn { $0.locationManager(manager, didFailWithError: error) }
    }
    public func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
    ) {
        passOn { $0.locationManager(manager, didChangeAuthorization: status) }
    }
    public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        passOn { $0.locationManager(manager, didEnterRegion: region) }
    }
    public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        passOn { $0.locationManager(manager, didExitRegion: region) }
    }
    public func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {
        passOn { $0.locationManager(manager, didDetermineState: state, for: region) }
    }
    public func locationManager(
        _ manager: CLLocationManager, didStartMonitoringFor region: CLRegion
    ) {
        passOn { $0.locationManager(manager, didStartMonitoringFor: region) }
    }
    public func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
        withError error: any Error
    ) {
        passOn { $0.locationManager(manager, monitoringDidFailFor: region, withError: error) }
    }
    public func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        passOn { $0.locationManager(manager, didVisit: visit) }
    }
    public func locationManager(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint
    ) {
        passOn { $0.locationManager(manager, didRange: beacons, satisfying: beaconConstraint) }
    }
    public func locationManager(
        _ manager: CLLocationManager,
        didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint, error: any Error
    ) {
        passOn { $0.locationManager(manager, didFailRangingFor: beaconConstraint, error: error) }
    }
    public func locationManager(
        _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
    ) {
        passOn { $0.locationManager(manager, didRangeBeacons: beacons, in: region) }
    }
    public func locationManager(
        _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
        withError error: any Error
    ) {
        passOn { $0.locationManager(manager, rangingBeaconsDidFailFor: region, withError: error) }
    }
    public func locationManager(
        _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
    ) {
        passOn { $0.locationManager(manager, didFinishDeferredUpdatesWithError: error) }
    }
    public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
        passOn { $0.locationManagerDidPauseLocationUpdates(manager) }
    }
    public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {
        passOn { $0.locationManagerDidResumeLocationUpdates(manager) }
    }
    public func locationManagerShouldDisplayHeadingCalibration(
        _ manager: CLLocationManager
    ) -> Bool {
        relayMissing(self, default: false) { (delegate: any CLLocationManagerDelegate) in
            delegate.locationManagerShouldDisplayHeadingCalibration(manager)
        }
    }

    /// Calls the older method `locationManager(_:didChangeAuthorization:)`, as on Apple's systems.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        passOn {
            $0.locationManagerDidChangeAuthorization(manager)
        } orElse: {
            locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
        }
    }
}

extension CLLocationManagerDelegate {
    /// Calls the delegates of a proxy that lacks a method, or does `fallback`.
    private func passOn(
        method: String = #function, _ call: (any CLLocationManagerDelegate) -> Void,
        orElse fallback: () -> Void = {}
    ) {
        relayMissing(self, method: method, call, orElse: fallback)
    }
}

// Documented together.
/// A delegate's methods named `locationManager`, as one callable value. With it, code that calls
/// an optional method compiles as on Apple's systems:
/// `delegate?.locationManager?(manager, didVisit: visit)`.
public struct CLLocationManagerDelegateCalls {
    let delegate: any CLLocationManagerDelegate

    /// The delegate or, if it is the manager's, the proxy that also sends the call as an event.
    private func receiver(of manager: CLLocationManager) -> any CLLocationManagerDelegate {
        manager.engine.receiver(for: delegate)
    }

    public func callAsFunction(
        _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
    ) {
        receiver(of: manager).locationManager(manager, didUpdateLocations: locations)
    }

    public func callAsFunction(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation,
        from oldLocation: CLLocation
    ) {
        receiver(of: manager).locationManager(manager, didUpdateTo: newLocation, from: oldLocation)
    }

    public func callAsFunction(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
    {
        receiver(of: manager).locationManager(manager, didUpdateHeading: newHeading)
    }

    public func callAsFunction(_ manager: CLLocationManager, didFailWithError error: any Error) {
        receiver(of: manager).locationManager(manager, didFailWithError: error)
    }

    public func callAsFunction(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
    ) {
        receiver(of: manager).locationManager(manager, didChangeAuthorization: status)
    }

    public func callAsFunction(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        receiver(of: manager).locationManager(manager, didEnterRegion: region)
    }

    public func callAsFunction(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        receiver(of: manager).locationManager(manager, didExitRegion: region)
    }

    public func callAsFunction(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {
        receiver(of: manager).locationManager(manager, didDetermineState: state, for: region)
    }

    public func callAsFunction(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
    {
        receiver(of: manager).locationManager(manager, didStartMonitoringFor: region)
    }

    public func callAsFunction(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
        withError error: any Error
    ) {
        receiver(of: manager).locationManager(
            manager, monitoringDidFailFor: region, withError: error)
    }

    public func callAsFunction(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        receiver(of: manager).locationManager(manager, didVisit: visit)
    }

    public func callAsFunction(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint
    ) {
        receiver(of: manager).locationManager(
            manager, didRange: beacons, satisfying: beaconConstraint)
    }

    public func callAsFunction(
        _ manager: CLLocationManager,
        didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint, error: any Error
    ) {
        receiver(of: manager).locationManager(
            manager, didFailRangingFor: beaconConstraint, error: error)
    }

    public func callAsFunction(
        _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
    ) {
        receiver(of: manager).locationManager(manager, didRangeBeacons: beacons, in: region)
    }

    public func callAsFunction(
        _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
        withError error: any Error
    ) {
        receiver(of: manager).locationManager(
            manager, rangingBeaconsDidFailFor: region, withError: error)
    }

    public func callAsFunction(
        _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
    ) {
        receiver(of: manager).locationManager(manager, didFinishDeferredUpdatesWithError: error)
    }
}

// Documented together.
/// The methods as optional properties, so that calls such as
/// `delegate?.locationManagerDidChangeAuthorization?(manager)` compile. They are never `nil`.
extension CLLocationManagerDelegate {
    @_disfavoredOverload
    public var locationManager: CLLocationManagerDelegateCalls? {
        CLLocationManagerDelegateCalls(delegate: self)
    }

    @_disfavoredOverload
    public var locationManagerDidChangeAuthorization: ((CLLocationManager) -> Void)? {
        { $0.engine.receiver(for: self).locationManagerDidChangeAuthorization($0) }
    }

    @_disfavoredOverload
    public var locationManagerDidPauseLocationUpdates: ((CLLocationManager) -> Void)? {
        { $0.engine.receiver(for: self).locationManagerDidPauseLocationUpdates($0) }
    }

    @_disfavoredOverload
    public var locationManagerDidResumeLocationUpdates: ((CLLocationManager) -> Void)? {
        { $0.engine.receiver(for: self).locationManagerDidResumeLocationUpdates($0) }
    }

    @_disfavoredOverload
    public var locationManagerShouldDisplayHeadingCalibration: ((CLLocationManager) -> Bool)? {
        { $0.engine.receiver(for: self).locationManagerShouldDisplayHeadingCalibration($0) }
    }
}
