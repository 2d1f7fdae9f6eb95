// SPDX-License-Identifier: MIT

/// The delegate's methods as values, so that `delegate?.locationManager?(manager, didVisit: visit)`, by
/// which programs call what is optional on Apple's systems, compiles.
public struct CLLocationManagerDelegateCalls {
    let delegate: any CLLocationManagerDelegate

    /// Calls `locationManager(_:didUpdateLocations:)`.
    public func callAsFunction(
        _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
    ) {
        delegate.locationManager(manager, didUpdateLocations: locations)
    }

    /// Calls `locationManager(_:didUpdateTo:from:)`.
    public func callAsFunction(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation,
        from oldLocation: CLLocation
    ) {
        delegate.locationManager(manager, didUpdateTo: newLocation, from: oldLocation)
    }

    /// Calls `locationManager(_:didUpdateHeading:)`.
    public func callAsFunction(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
    {
        delegate.locationManager(manager, didUpdateHeading: newHeading)
    }

    /// Calls `locationManager(_:didFailWithError:)`.
    public func callAsFunction(_ manager: CLLocationManager, didFailWithError error: any Error) {
        delegate.locationManager(manager, didFailWithError: error)
    }

    /// Calls `locationManager(_:didChangeAuthorization:)`.
    public func callAsFunction(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
    ) {
        delegate.locationManager(manager, didChangeAuthorization: status)
    }

    /// Calls `locationManager(_:didEnterRegion:)`.
    public func callAsFunction(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        delegate.locationManager(manager, didEnterRegion: region)
    }

    /// Calls `locationManager(_:didExitRegion:)`.
    public func callAsFunction(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        delegate.locationManager(manager, didExitRegion: region)
    }

    /// Calls `locationManager(_:didDetermineState:for:)`.
    public func callAsFunction(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {
        delegate.locationManager(manager, didDetermineState: state, for: region)
    }

    /// Calls `locationManager(_:didStartMonitoringFor:)`.
    public func callAsFunction(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
    {
        delegate.locationManager(manager, didStartMonitoringFor: region)
    }

    /// Calls `locationManager(_:monitoringDidFailFor:withError:)`.
    public func callAsFunction(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
        withError error: any Error
    ) {
        delegate.locationManager(manager, monitoringDidFailFor: region, withError: error)
    }

    /// Calls `locationManager(_:didVisit:)`.
    public func callAsFunction(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        delegate.locationManager(manager, didVisit: visit)
    }

    /// Calls `locationManager(_:didRange:satisfying:)`.
    public func callAsFunction(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint
    ) {
        delegate.locationManager(manager, didRange: beacons, satisfying: beaconConstraint)
    }

    /// Calls `locationManager(_:didFailRangingFor:error:)`.
    public func callAsFunction(
        _ manager: CLLocationManager,
        didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint, error: any Error
    ) {
        delegate.locationManager(manager, didFailRangingFor: beaconConstraint, error: error)
    }

    /// Calls `locationManager(_:didRangeBeacons:in:)`.
    public func callAsFunction(
        _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
    ) {
        delegate.locationManager(manager, didRangeBeacons: beacons, in: region)
    }

    /// Calls `locationManager(_:rangingBeaconsDidFailFor:withError:)`.
    public func callAsFunction(
        _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
        withError error: any Error
    ) {
        delegate.locationManager(manager, rangingBeaconsDidFailFor: region, withError: error)
    }

    /// Calls `locationManager(_:didFinishDeferredUpdatesWithError:)`.
    public func callAsFunction(
        _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
    ) {
        delegate.locationManager(manager, didFinishDeferredUpdatesWithError: error)
    }
}

extension CLLocationManagerDelegate {
    /// Calls the methods of that name, in the way in which optional methods are called.
    @_disfavoredOverload
    public var locationManager: CLLocationManagerDelegateCalls? {
        CLLocationManagerDelegateCalls(delegate: self)
    }

    /// Calls the method of that name, in the way in which optional methods are called.
    @_disfavoredOverload
    public var locationManagerDidChangeAuthorization: ((CLLocationManager) -> Void)? {
        { self.locationManagerDidChangeAuthorization($0) }
    }

    /// Calls the method of that name, in the way in which optional methods are called.
    @_disfavoredOverload
    public var locationManagerDidPauseLocationUpdates: ((CLLocationManager) -> Void)? {
        { self.locationManagerDidPauseLocationUpdates($0) }
    }

    /// Calls the method of that name, in the way in which optional methods are called.
    @_disfavoredOverload
    public var locationManagerDidResumeLocationUpdates: ((CLLocationManager) -> Void)? {
        { self.locationManagerDidResumeLocationUpdates($0) }
    }

    /// Calls the method of that name, in the way in which optional methods are called.
    @_disfavoredOverload
    public var locationManagerShouldDisplayHeadingCalibration: ((CLLocationManager) -> Bool)? {
        { self.locationManagerShouldDisplayHeadingCalibration($0) }
    }
}
