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
    package let didUpdateLocations: MethodEvent<[CLLocation]>
    /// Calls of the older `locationManager(_:didUpdateTo:from:)`, which only a mock makes: a manager
    /// calls `didUpdateLocations`, whose default calls it.
    let didUpdateTo: MethodEvent<(new: CLLocation, old: CLLocation)>
    /// New headings, after `startUpdatingHeading()`.
    let didUpdateHeading: MethodEvent<CLHeading>
    /// Errors, each a `CLError`.
    package let didFailWithError: MethodEvent<any Error>
    /// The status after a change, and when a delegate is assigned.
    let didChangeAuthorization: MethodEvent<CLAuthorizationStatus>
    /// Monitored regions that the receiver has entered.
    let didEnterRegion: MethodEvent<CLRegion>
    /// Monitored regions that the receiver has left.
    let didExitRegion: MethodEvent<CLRegion>
    let didDetermineState: MethodEvent<(state: CLRegionState, region: CLRegion)>
    let didStartMonitoring: MethodEvent<CLRegion>
    /// Regions that cannot be monitored.
    let monitoringDidFail: MethodEvent<(region: CLRegion?, error: any Error)>
    /// Visits, which only a mock reports.
    let didVisit: MethodEvent<CLVisit>
    /// Ranged beacons, which only a mock reports.
    let didRange: MethodEvent<(beacons: [CLBeacon], constraint: CLBeaconIdentityConstraint)>
    /// Failed attempts to range the beacons of a constraint.
    let didFailRanging: MethodEvent<(constraint: CLBeaconIdentityConstraint, error: any Error)>
    /// Beacons ranged in a region, which only a mock reports.
    let didRangeBeacons: MethodEvent<(beacons: [CLBeacon], region: CLBeaconRegion)>
    /// Failed attempts to range the beacons of a region.
    let rangingBeaconsDidFail: MethodEvent<(region: CLBeaconRegion, error: any Error)>
    /// Failed attempts to defer updates.
    let didFinishDeferredUpdates: MethodEvent<(any Error)?>
    /// Pauses of the updates, which only a mock reports.
    package let didPauseLocationUpdates: MethodEvent<Void>
    /// Resumptions of the updates, which only a mock reports.
    let didResumeLocationUpdates: MethodEvent<Void>
    /// Questions whether to display the calibration of the heading, which only a mock asks.
    let shouldDisplayHeadingCalibration: MethodEvent<Void>
    /// The locations or the error that follow next, such as the outcome of `requestLocation()`.
    package let result: MethodEvent<Result<[CLLocation], any Error>>

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

// Documented together.
/// A manager's delegate calls as events, for any number of loops and closures. See the properties
/// of ``CLLocationManagerProxy``.
///
///     for await locations in manager.events.didUpdateLocations.values() { … }
extension EventNamespace where Base: CLLocationManager {
    private var proxy: CLLocationManagerProxy { .proxy(for: base) }

    public var didUpdateLocations: MethodEvent<[CLLocation]> { proxy.didUpdateLocations }
    public var didUpdateTo: MethodEvent<(new: CLLocation, old: CLLocation)> { proxy.didUpdateTo }
    public var didUpdateHeading: MethodEvent<CLHeading> { proxy.didUpdateHeading }
    public var didFailWithError: MethodEvent<any Error> { proxy.didFailWithError }
    public var didChangeAuthorization: MethodEvent<CLAuthorizationStatus> {
        proxy.didChangeAuthorization
    }
    public var didEnterRegion: MethodEvent<CLRegion> { proxy.didEnterRegion }
    public var didExitRegion: MethodEvent<CLRegion> { proxy.didExitRegion }
    public var didDetermineState: MethodEvent<(state: CLRegionState, region: CLRegion)> {
        proxy.didDetermineState
    }
    public var didStartMonitoring: MethodEvent<CLRegion> { proxy.didStartMonitoring }
    public var monitoringDidFail: MethodEvent<(region: CLRegion?, error: any Error)> {
        proxy.monitoringDidFail
    }
    public var didVisit: MethodEvent<CLVisit> { proxy.didVisit }
    public var didRange: MethodEvent<(beacons: [CLBeacon], constraint: CLBeaconIdentityConstraint)>
    {
        proxy.didRange
    }
    public var didFailRanging:
        MethodEvent<(constraint: CLBeaconIdentityConstraint, error: any Error)>
    {
        proxy.didFailRanging
    }
    public var didRangeBeacons: MethodEvent<(beacons: [CLBeacon], region: CLBeaconRegion)> {
        proxy.didRangeBeacons
    }
    public var rangingBeaconsDidFail: MethodEvent<(region: CLBeaconRegion, error: any Error)> {
        proxy.rangingBeaconsDidFail
    }
    public var didFinishDeferredUpdates: MethodEvent<(any Error)?> {
        proxy.didFinishDeferredUpdates
    }
    public var didPauseLocationUpdates: MethodEvent<Void> { proxy.didPauseLocationUpdates }
    public var didResumeLocationUpdates: MethodEvent<Void> { proxy.didResumeLocationUpdates }
    public var shouldDisplayHeadingCalibration: MethodEvent<Void> {
        proxy.shouldDisplayHeadingCalibration
    }
    public var result: MethodEvent<Result<[CLLocation], any Error>> { proxy.result }
}
