// SPDX-License-Identifier: MIT
public import CoreLocation
public import Delegation

// In a program: @retroactive HasDelegate.
extension CLLocationManager: HasDelegate {}

/// A proxy with every method of the delegate, to be copied into a program: see docs/corelocation.md.
final class ManagerProxy: NSObject, DelegateProxyType, CLLocationManagerDelegate {
    let base: DelegateProxy<CLLocationManager, any CLLocationManagerDelegate>
    let didUpdateLocations: MethodEvent<[CLLocation]>
    let didUpdateTo: MethodEvent<(new: CLLocation, old: CLLocation)>
    let didUpdateHeading: MethodEvent<CLHeading>
    let didFailWithError: MethodEvent<any Error>
    let didChangeAuthorization: MethodEvent<CLAuthorizationStatus>
    let didEnterRegion: MethodEvent<CLRegion>
    let didExitRegion: MethodEvent<CLRegion>
    let didDetermineState: MethodEvent<(state: CLRegionState, region: CLRegion)>
    let didStartMonitoring: MethodEvent<CLRegion>
    let monitoringDidFail: MethodEvent<(region: CLRegion?, error: any Error)>
    let didVisit: MethodEvent<CLVisit>
    let didRange: MethodEvent<(beacons: [CLBeacon], constraint: CLBeaconIdentityConstraint)>
    let didFailRanging: MethodEvent<(constraint: CLBeaconIdentityConstraint, error: any Error)>
    let didRangeBeacons: MethodEvent<(beacons: [CLBeacon], region: CLBeaconRegion)>
    let rangingBeaconsDidFail: MethodEvent<(region: CLBeaconRegion, error: any Error)>
    let didFinishDeferredUpdates: MethodEvent<(any Error)?>
    let didPauseLocationUpdates: MethodEvent<Void>
    let didResumeLocationUpdates: MethodEvent<Void>
    let shouldDisplayHeadingCalibration: MethodEvent<Void>
    /// What `requestLocation()` results in: the locations or the error, whichever comes first.
    let result: MethodEvent<Result<[CLLocation], any Error>>

    init(_ base: DelegateProxy<CLLocationManager, any CLLocationManagerDelegate>) {
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

    static func registerKnownImplementations() { register { ManagerProxy($0) } }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations new: [CLLocation]) {
        result.sentMessage.send(.success(new))
        relay(didUpdateLocations, new) { $0.locationManager(manager, didUpdateLocations: new) }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        result.sentMessage.send(.failure(error))
        relay(didFailWithError, error) { $0.locationManager(manager, didFailWithError: error) }
    }

    func locationManager(
        _ manager: CLLocationManager, didUpdateTo new: CLLocation, from old: CLLocation
    ) {
        relay(didUpdateTo, (new: new, old: old)) {
            $0.locationManager(manager, didUpdateTo: new, from: old)
        }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateHeading heading: CLHeading) {
        relay(didUpdateHeading, heading) { $0.locationManager(manager, didUpdateHeading: heading) }
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        relay(didChangeAuthorization, manager.authorizationStatus) {
            $0.locationManagerDidChangeAuthorization(manager)
        }
    }

    // Only a mock calls it: a manager calls the method above, whose default calls the delegate's.
    func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
    ) {
        relay(didChangeAuthorization, status) {
            $0.locationManager(manager, didChangeAuthorization: status)
        }
    }

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        relay(didEnterRegion, region) { $0.locationManager(manager, didEnterRegion: region) }
    }

    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        relay(didExitRegion, region) { $0.locationManager(manager, didExitRegion: region) }
    }

    func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {
        relay(didDetermineState, (state: state, region: region)) {
            $0.locationManager(manager, didDetermineState: state, for: region)
        }
    }

    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        relay(didStartMonitoring, region) {
            $0.locationManager(manager, didStartMonitoringFor: region)
        }
    }

    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
        withError error: any Error
    ) {
        relay(monitoringDidFail, (region: region, error: error)) {
            $0.locationManager(manager, monitoringDidFailFor: region, withError: error)
        }
    }

    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        relay(didVisit, visit) { $0.locationManager(manager, didVisit: visit) }
    }

    func locationManager(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying constraint: CLBeaconIdentityConstraint
    ) {
        relay(didRange, (beacons: beacons, constraint: constraint)) {
            $0.locationManager(manager, didRange: beacons, satisfying: constraint)
        }
    }

    func locationManager(
        _ manager: CLLocationManager, didFailRangingFor constraint: CLBeaconIdentityConstraint,
        error: any Error
    ) {
        relay(didFailRanging, (constraint: constraint, error: error)) {
            $0.locationManager(manager, didFailRangingFor: constraint, error: error)
        }
    }

    func locationManager(
        _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
    ) {
        relay(didRangeBeacons, (beacons: beacons, region: region)) {
            $0.locationManager(manager, didRangeBeacons: beacons, in: region)
        }
    }

    func locationManager(
        _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
        withError error: any Error
    ) {
        relay(rangingBeaconsDidFail, (region: region, error: error)) {
            $0.locationManager(manager, rangingBeaconsDidFailFor: region, withError: error)
        }
    }

    func locationManager(
        _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
    ) {
        relay(didFinishDeferredUpdates, error) {
            $0.locationManager(manager, didFinishDeferredUpdatesWithError: error)
        }
    }

    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
        relay(didPauseLocationUpdates, ()) { $0.locationManagerDidPauseLocationUpdates(manager) }
    }

    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {
        relay(didResumeLocationUpdates, ()) { $0.locationManagerDidResumeLocationUpdates(manager) }
    }

    func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool {
        relay(shouldDisplayHeadingCalibration, (), default: false) {
            $0.locationManagerShouldDisplayHeadingCalibration(manager)
        }
    }
}
