// SPDX-License-Identifier: MIT

/// Receives a location manager's updates. Every method is optional.
///
/// Calls are in order and never overlap: on the main queue if the manager was created there or on
/// the main actor, else on the manager's own queue. There are three limitations compared with
/// Apple's systems: a method that only a subclass of the adopting class implements is not called;
/// neither is one with a slightly different signature; and a `@MainActor` class must adopt
/// `@preconcurrency CLLocationManagerDelegate` in the Swift 6 language mode.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
    /// Reports new locations: at least one, oldest first.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
    /// Never called; the predecessor of `locationManager(_:didUpdateLocations:)`.
    func locationManager(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation,
        from oldLocation: CLLocation)
    /// Reports a new heading.
    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
    /// Reports that a location or heading is unavailable. After `CLError.locationUnknown`, updates
    /// continue.
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
    /// Reports a change of authorization, unless `locationManagerDidChangeAuthorization(_:)` is
    /// implemented, whose default calls this method.
    func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
    /// Reports the entry into a region.
    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
    /// Reports the exit from a region.
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
    /// Reports whether the location is inside a region, after a request or a change.
    func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
    /// Reports that monitoring of a region has started.
    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
    /// Reports that a region cannot be monitored.
    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
        withError error: any Error)
    /// Never called.
    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)
    /// Never called.
    func locationManager(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint)
    /// Reports that beacons cannot be ranged, after every start.
    func locationManager(
        _ manager: CLLocationManager,
        didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint, error: any Error)
    /// Never called.
    func locationManager(
        _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
    )
    /// Reports that beacons cannot be ranged, after every start.
    func locationManager(
        _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
        withError error: any Error)
    /// Reports that deferred updates are not supported, after every request.
    func locationManager(
        _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?)
    /// Reports a change of the permission to open the receiver. Also called when a delegate is
    /// assigned.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
    /// Never called; `locationManager(_:didFailWithError:)` reports the loss of a receiver.
    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
    /// Never called.
    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)
    /// Never called.
    func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool
}

// Documented together.
/// The defaults of the methods, which do nothing.
extension CLLocationManagerDelegate {
    public func locationManager(
        _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
    ) {}
    public func locationManager(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation,
        from oldLocation: CLLocation
    ) {}
    public func locationManager(
        _ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading
    ) {}
    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
    public func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
    ) {}
    public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {}
    public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}
    public func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {}
    public func locationManager(
        _ manager: CLLocationManager, didStartMonitoringFor region: CLRegion
    ) {}
    public func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
        withError error: any Error
    ) {}
    public func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {}
    public func locationManager(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint
    ) {}
    public func locationManager(
        _ manager: CLLocationManager,
        didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint, error: any Error
    ) {}
    public func locationManager(
        _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
    ) {}
    public func locationManager(
        _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
        withError error: any Error
    ) {}
    public func locationManager(
        _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
    ) {}
    public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}
    public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {}
    public func locationManagerShouldDisplayHeadingCalibration(
        _ manager: CLLocationManager
    ) -> Bool { false }

    /// Calls the older method for authorization changes, as Apple's systems do.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
    }
}
