// SPDX-License-Identifier: MIT

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
/// they have replaced, and the others do nothing.
extension CLLocationManagerDelegate {
    /// Calls the older method `locationManager(_:didUpdateTo:from:)`, as on Apple's systems.
    public func locationManager(
        _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
    ) {
        guard let new = locations.last else { return }
        locationManager(manager, didUpdateTo: new, from: manager.engine.previous(replacedBy: new))
    }
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

    /// Calls the older method `locationManager(_:didChangeAuthorization:)`, as on Apple's systems.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
    }
}
