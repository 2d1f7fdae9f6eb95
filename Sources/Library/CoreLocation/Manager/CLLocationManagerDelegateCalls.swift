// SPDX-License-Identifier: MIT

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
