// SPDX-License-Identifier: MIT

/// Receives a location manager's updates. Every method may be left out.
///
/// Calls come in order and never overlap: on the main queue if the manager was created there or on the
/// main actor, else on a queue of the manager's. Three limits compared with Apple's systems: a method
/// that only a subclass of the adopting class implements is not called, one whose signature differs
/// slightly is not called either, and a `@MainActor` class adopts it as
/// `@preconcurrency CLLocationManagerDelegate` in the Swift 6 language mode.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
    /// There are new locations: at least one, oldest first.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
    /// Never called: the method before `locationManager(_:didUpdateLocations:)`.
    func locationManager(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation,
        from oldLocation: CLLocation)
    /// There is a new heading.
    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
    /// A location or heading is unavailable. After `CLError.locationUnknown`, updates continue.
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
    /// Called by the default of `locationManagerDidChangeAuthorization(_:)`, and so only where that is not
    /// implemented.
    func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
    /// A region has been entered.
    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
    /// A region has been left.
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
    /// Where the location is with respect to a region has been asked for, or has changed.
    func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
    /// A region is monitored.
    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
    /// A region cannot be monitored.
    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
        withError error: any Error)
    /// Never called.
    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)
    /// Never called.
    func locationManager(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint)
    /// Beacons cannot be ranged: the answer to every start.
    func locationManager(
        _ manager: CLLocationManager,
        didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint, error: any Error)
    /// Never called.
    func locationManager(
        _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
    )
    /// Beacons cannot be ranged: the answer to every start.
    func locationManager(
        _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
        withError error: any Error)
    /// Answers a request for deferred updates, which are not supported on Linux.
    func locationManager(
        _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?)
    /// The permission to open the receiver has changed; also called for a delegate newly assigned.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
    /// Never called: a receiver that is lost is reported by `locationManager(_:didFailWithError:)`.
    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
    /// Never called.
    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)
    /// Never called.
    func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool
}

// Documented together.
/// The default of each method: it does nothing.
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

    /// Calls the method that programs had before, as Apple's systems do.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
    }
}
