// SPDX-License-Identifier: MIT
public import Delegation

// Documented together.
/// Receives a manager's delegate calls, sends each as an event, and relays it to the delegate.
///
/// `manager.events` has the same events. Events are sent on the queue on which the delegate is
/// called, before the call. The delegate can be assigned at any time. A mock that calls a delegate
/// without having one calls `CLLocationManagerProxy.proxy(for: self)` instead.
public final class CLLocationManagerProxy: NSObject, DelegateProxyType, CLLocationManagerDelegate {
    /// The generic part of the proxy, which stores the delegates.
    public let base: DelegateProxy<CLLocationManager, any CLLocationManagerDelegate>
    /// New locations: at least one, oldest first.
    public let didUpdateLocations: MethodEvent<[CLLocation]>
    /// Calls of the older `locationManager(_:didUpdateTo:from:)`, which only a mock makes: a manager
    /// calls `didUpdateLocations`, whose default calls it.
    public let didUpdateTo: MethodEvent<(new: CLLocation, old: CLLocation)>
    /// New headings, after `startUpdatingHeading()`.
    public let didUpdateHeading: MethodEvent<CLHeading>
    /// Errors, each a `CLError`.
    public let didFailWithError: MethodEvent<any Error>
    /// The status after a change, and when a delegate is assigned.
    public let didChangeAuthorization: MethodEvent<CLAuthorizationStatus>
    /// Monitored regions that the receiver has entered.
    public let didEnterRegion: MethodEvent<CLRegion>
    /// Monitored regions that the receiver has left.
    public let didExitRegion: MethodEvent<CLRegion>
    public let didDetermineState: MethodEvent<(state: CLRegionState, region: CLRegion)>
    public let didStartMonitoring: MethodEvent<CLRegion>
    /// Regions that cannot be monitored.
    public let monitoringDidFail: MethodEvent<(region: CLRegion?, error: any Error)>
    /// Visits, which only a mock reports.
    public let didVisit: MethodEvent<CLVisit>
    /// Ranged beacons, which only a mock reports.
    public let didRange: MethodEvent<(beacons: [CLBeacon], constraint: CLBeaconIdentityConstraint)>
    /// Failed attempts to range the beacons of a constraint.
    public let didFailRanging:
        MethodEvent<(constraint: CLBeaconIdentityConstraint, error: any Error)>
    /// Beacons ranged in a region, which only a mock reports.
    public let didRangeBeacons: MethodEvent<(beacons: [CLBeacon], region: CLBeaconRegion)>
    /// Failed attempts to range the beacons of a region.
    public let rangingBeaconsDidFail: MethodEvent<(region: CLBeaconRegion, error: any Error)>
    /// Failed attempts to defer updates.
    public let didFinishDeferredUpdates: MethodEvent<(any Error)?>
    /// Pauses of the updates, which only a mock reports.
    public let didPauseLocationUpdates: MethodEvent<Void>
    /// Resumptions of the updates, which only a mock reports.
    public let didResumeLocationUpdates: MethodEvent<Void>
    /// Questions whether to display the calibration of the heading, which only a mock asks.
    public let shouldDisplayHeadingCalibration: MethodEvent<Void>
    /// The locations or the error that follow next, such as the outcome of `requestLocation()`.
    public let result: MethodEvent<Result<[CLLocation], any Error>>

    package init(_ base: DelegateProxy<CLLocationManager, any CLLocationManagerDelegate>) {
        self.base = base
        didUpdateLocations = base.event("didUpdateLocations")
        didUpdateTo = base.event("didUpdateTo")
        didUpdateHeading = base.event("didUpdateHeading")
        didFailWithError = base.event("didFailWithError")
        didChangeAuthorization = base.event("didChangeAuthorization")
        didEnterRegion = base.event("didEnterRegion")
        didExitRegion = base.event("didExitRegion")
        didDetermineState = base.event("didDetermineState")
        didStartMonitoring = base.event("didStartMonitoring")
        monitoringDidFail = base.event("monitoringDidFail")
        didVisit = base.event("didVisit")
        didRange = base.event("didRange")
        didFailRanging = base.event("didFailRanging")
        didRangeBeacons = base.event("didRangeBeacons")
        rangingBeaconsDidFail = base.event("rangingBeaconsDidFail")
        didFinishDeferredUpdates = base.event("didFinishDeferredUpdates")
        didPauseLocationUpdates = base.event("didPauseLocationUpdates")
        didResumeLocationUpdates = base.event("didResumeLocationUpdates")
        shouldDisplayHeadingCalibration = base.event("shouldDisplayHeadingCalibration")
        result = base.event("result")
        super.init()
    }

    /// The name of this proxy's slot, so that a program can have a proxy of its own.
    public static var slot: String { "CoreLocation" }

    /// Returns the object that the manager calls.
    public static func currentDelegate(
        for manager: CLLocationManager
    ) -> (any CLLocationManagerDelegate)? {
        manager.engine.delegateSlot.sink
    }

    /// Makes the proxy the object that the manager calls. `manager.delegate` stays the same.
    public static func setCurrentDelegate(
        _ delegate: (any CLLocationManagerDelegate)?, for manager: CLLocationManager
    ) {
        let proxy = delegate as? CLLocationManagerProxy
        guard proxy != nil || delegate == nil else { return }
        manager.engine.setProxy(proxy)
    }

    public static func registerKnownImplementations() { register { CLLocationManagerProxy($0) } }

    public func locationManager(_ manager: CLLocationManager, didUpdateLocations new: [CLLocation])
    {
        result.sentMessage.send(.success(new))
        relay(didUpdateLocations, new) { $0.locationManager(manager, didUpdateLocations: new) }
    }

    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        result.sentMessage.send(.failure(error))
        relay(didFailWithError, error) { $0.locationManager(manager, didFailWithError: error) }
    }

    public func locationManager(
        _ manager: CLLocationManager, didUpdateTo new: CLLocation, from old: CLLocation
    ) {
        relay(didUpdateTo, (new: new, old: old)) {
            $0.locationManager(manager, didUpdateTo: new, from: old)
        }
    }

    public func locationManager(_ manager: CLLocationManager, didUpdateHeading heading: CLHeading) {
        relay(didUpdateHeading, heading) { $0.locationManager(manager, didUpdateHeading: heading) }
    }

    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        relay(didChangeAuthorization, manager.authorizationStatus) {
            $0.locationManagerDidChangeAuthorization(manager)
        }
    }

    // Only a mock calls it: a manager calls the method above, whose default calls the delegate's.
    public func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
    ) {
        relay(didChangeAuthorization, status) {
            $0.locationManager(manager, didChangeAuthorization: status)
        }
    }

    public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        relay(didEnterRegion, region) { $0.locationManager(manager, didEnterRegion: region) }
    }

    public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        relay(didExitRegion, region) { $0.locationManager(manager, didExitRegion: region) }
    }

    public func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {
        relay(didDetermineState, (state: state, region: region)) {
            $0.locationManager(manager, didDetermineState: state, for: region)
        }
    }

    public func locationManager(
        _ manager: CLLocationManager, didStartMonitoringFor region: CLRegion
    ) {
        relay(didStartMonitoring, region) {
            $0.locationManager(manager, didStartMonitoringFor: region)
        }
    }

    public func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
        withError error: any Error
    ) {
        relay(monitoringDidFail, (region: region, error: error)) {
            $0.locationManager(manager, monitoringDidFailFor: region, withError: error)
        }
    }

    public func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        relay(didVisit, visit) { $0.locationManager(manager, didVisit: visit) }
    }

    public func locationManager(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying constraint: CLBeaconIdentityConstraint
    ) {
        relay(didRange, (beacons: beacons, constraint: constraint)) {
            $0.locationManager(manager, didRange: beacons, satisfying: constraint)
        }
    }

    public func locationManager(
        _ manager: CLLocationManager, didFailRangingFor constraint: CLBeaconIdentityConstraint,
        error: any Error
    ) {
        relay(didFailRanging, (constraint: constraint, error: error)) {
            $0.locationManager(manager, didFailRangingFor: constraint, error: error)
        }
    }

    public func locationManager(
        _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
    ) {
        relay(didRangeBeacons, (beacons: beacons, region: region)) {
            $0.locationManager(manager, didRangeBeacons: beacons, in: region)
        }
    }

    public func locationManager(
        _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
        withError error: any Error
    ) {
        relay(rangingBeaconsDidFail, (region: region, error: error)) {
            $0.locationManager(manager, rangingBeaconsDidFailFor: region, withError: error)
        }
    }

    public func locationManager(
        _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
    ) {
        relay(didFinishDeferredUpdates, error) {
            $0.locationManager(manager, didFinishDeferredUpdatesWithError: error)
        }
    }

    public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
        relay(didPauseLocationUpdates, ()) { $0.locationManagerDidPauseLocationUpdates(manager) }
    }

    public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {
        relay(didResumeLocationUpdates, ()) { $0.locationManagerDidResumeLocationUpdates(manager) }
    }

    public func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool
    {
        relay(shouldDisplayHeadingCalibration, (), default: false) {
            $0.locationManagerShouldDisplayHeadingCalibration(manager)
        }
    }
}

extension CLLocationManager: DelegateProxyHost, HasEvents {}

extension EventNamespace where Base: CLLocationManager {
    /// A manager's delegate calls as events, for any number of loops and closures: the properties
    /// of ``CLLocationManagerProxy``.
    ///
    ///     for await locations in manager.events.didUpdateLocations.values() { … }
    public subscript<Value>(
        dynamicMember event: KeyPath<CLLocationManagerProxy, MethodEvent<Value>>
    ) -> MethodEvent<Value> {
        CLLocationManagerProxy.proxy(for: base)[keyPath: event]
    }
}
