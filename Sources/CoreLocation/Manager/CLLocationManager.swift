// SPDX-License-Identifier: MIT
public import Dispatch
import GPSBridge
public import GPSReceivers

/// Reports a receiver's location and heading, and entries into and exits from regions.
///
/// The receiver is the one that `GPSBRIDGE_SOURCE` or the configuration file names, or else the
/// first that is plugged in. Properties without effect on Linux keep their assigned values.
open class CLLocationManager: NSObject {
    private(set) var engine: ManagerEngine

    /// Creates a manager.
    ///
    /// Its delegate is called on the main queue if the manager is created there or on the main
    /// actor, else on the manager's own queue.
    public override init() {
        engine = ManagerEngine(
            source: nil,
            queue: MainQueue.isCurrent ? .main : DispatchQueue(label: "CoreLocation.delegate"))
        super.init()
        engine.attach(to: self)
    }

    /// Creates a manager of a receiver, which calls its delegate on `queue`, or by default on the
    /// same queue as a manager created by `init()`. Not available on Apple's systems.
    public convenience init(source: any DeviceSource, queue: DispatchQueue? = nil) {
        self.init(source: source, queue: queue, headingTimeout: HeadingAvailability.timeout)
    }

    /// Creates a manager that reports a missing heading after that many seconds.
    package convenience init(
        source: any DeviceSource, queue: DispatchQueue? = nil, headingTimeout: Double
    ) {
        self.init()
        engine = ManagerEngine(
            source: source,
            // Makes calls serial even on a concurrent queue.
            queue: queue.map { DispatchQueue(label: "CoreLocation.delegate", target: $0) }
                ?? engine.queue,
            headingTimeout: headingTimeout)
        engine.attach(to: self)
    }

    // MARK: Delegate and settings

    /// The delegate, held weakly. All of its methods are optional.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        get { engine.delegate }
        set {
            engine.delegate = newValue
            if newValue != nil { engine.reportAuthorization() }
        }
    }

    /// The distance in metres after which the next location is delivered. Default:
    /// `kCLDistanceFilterNone`.
    open var distanceFilter: CLLocationDistance {
        get { engine.manager.distanceFilter }
        set { engine.manager.distanceFilter = newValue }
    }

    /// The accuracy in metres that `requestLocation()` waits for. Default:
    /// `kCLLocationAccuracyBest`, which any valid fix meets.
    open var desiredAccuracy: CLLocationAccuracy {
        get { engine.manager.desiredAccuracy }
        set { engine.manager.desiredAccuracy = newValue }
    }

    /// No effect. Default: `.other`.
    open var activityType = CLActivityType.other
    /// No effect. Default: `true`.
    open var pausesLocationUpdatesAutomatically = true
    /// No effect. Default: `false`.
    open var allowsBackgroundLocationUpdates = false
    /// No effect. Default: `false`.
    open var showsBackgroundLocationIndicator = false
    /// No effect. Default: `.portrait`.
    open var headingOrientation = CLDeviceOrientation.portrait

    // MARK: Authorization

    /// The permission to open the receiver. If permitted, `.authorizedWhenInUse` if the program has
    /// requested only that, else `.authorizedAlways`.
    open var authorizationStatus: CLAuthorizationStatus { engine.authorizationStatus }
    /// Always `.fullAccuracy`.
    open var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }
    /// Always `false`.
    open var isAuthorizedForWidgetUpdates: Bool { false }

    /// The last known status of the configured receiver, which all managers share.
    open class func authorizationStatus() -> CLAuthorizationStatus {
        ManagerEngine.sharedAuthorizationStatus
    }

    /// Returns whether a receiver is configured or plugged in.
    open class func locationServicesEnabled() -> Bool { ConfiguredReceiver.isPresent }

    /// Requests the authorization `.authorizedWhenInUse`, and checks the permission to open the
    /// receiver if it is not known. The user is not asked.
    /// `locationManagerDidChangeAuthorization(_:)` reports the result. An earlier
    /// `requestAlwaysAuthorization()` remains in effect.
    open func requestWhenInUseAuthorization() { engine.requestAuthorization(.whenInUse) }

    /// Requests the authorization `.authorizedAlways`; otherwise like
    /// `requestWhenInUseAuthorization()`.
    open func requestAlwaysAuthorization() { engine.requestAuthorization(.always) }

    /// Calls `completion` on the delegate's queue without an error, since accuracy is always full.
    open func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)?
    ) {
        guard let completion = completion.map({ Transferred($0) }) else { return }
        engine.queue.async { completion.value(nil) }
    }

    /// Does nothing: accuracy is always full.
    open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {}

    /// Calls the method with a completion handler, which a subclass may override, and waits for its
    /// result.
    open func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String
    ) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey) { error in
                if let error { done.resume(throwing: error) } else { done.resume() }
            }
        }
    }

    // MARK: Locations

    /// The last valid location; check its timestamp.
    open var location: CLLocation? { engine.location }

    /// Starts updates; returns at once. Starting again has no effect.
    open func startUpdatingLocation() { engine.manager.startUpdatingLocation() }

    /// Stops updates and a pending `requestLocation()`. No delegate call of these begins
    /// afterwards.
    open func stopUpdatingLocation() { engine.stopUpdatingLocation() }

    /// Requests one location. One call of `didUpdateLocations` or `didFailWithError` follows within
    /// 60 s. Another request while one is pending has no effect.
    open func requestLocation() { engine.requestLocation() }

    // MARK: Headings

    /// Returns whether a compass is available: `true` at first, `false` after 60 s of heading
    /// updates without a heading, and `true` again once a receiver has sent one.
    open class func headingAvailable() -> Bool { HeadingAvailability.isAvailable }

    /// The last heading.
    open var heading: CLHeading? { engine.heading }

    /// The change in degrees after which the next heading is delivered. Default: 1.
    open var headingFilter: CLLocationDegrees {
        get { engine.manager.headingFilter }
        set { engine.manager.headingFilter = newValue }
    }

    /// Starts heading updates; returns at once.
    open func startUpdatingHeading() { engine.startUpdatingHeading() }

    /// Stops heading updates.
    open func stopUpdatingHeading() { engine.stopUpdatingHeading() }

    /// Does nothing: no calibration is ever displayed.
    open func dismissHeadingCalibrationDisplay() {}

    // MARK: Regions

    /// Returns whether a class of regions can be monitored; only circles can.
    open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
        regionClass is CLCircularRegion.Type
    }

    /// The regions that this manager monitors.
    open var monitoredRegions: Set<CLRegion> { engine.monitoredRegions }
    /// The largest radius of a region, in metres.
    open var maximumRegionMonitoringDistance: CLLocationDistance { RegionState.maximumRadius }

    /// Starts to report entries into and exits from a circle, until the manager is released. At
    /// most 20 regions can be monitored.
    open func startMonitoring(for region: CLRegion) { engine.startMonitoring(region) }

    /// The same as `startMonitoring(for:)`.
    open func startMonitoring(for region: CLRegion, desiredAccuracy accuracy: CLLocationAccuracy) {
        startMonitoring(for: region)
    }

    /// Stops monitoring the region with the same identifier.
    open func stopMonitoring(for region: CLRegion) { engine.stopMonitoring(region) }

    /// Requests whether the location is inside a circle. A call of `didDetermineState` follows,
    /// after the next fix if necessary.
    open func requestState(for region: CLRegion) { engine.requestState(of: region) }

    // MARK: Significant changes

    /// Always `true`; a change of 500 m is significant.
    open class func significantLocationChangeMonitoringAvailable() -> Bool { true }

    /// Starts location updates every 500 m. The program is not launched for them.
    open func startMonitoringSignificantLocationChanges() { engine.startSignificantChanges() }

    /// Stops significant-change updates.
    open func stopMonitoringSignificantLocationChanges() { engine.stopSignificantChanges() }

    // MARK: Not available on Linux

    /// Does nothing: visits are never reported.
    open func startMonitoringVisits() {}
    /// Does nothing.
    open func stopMonitoringVisits() {}

    /// Always `false`.
    open class func isRangingAvailable() -> Bool { false }
    /// Always empty.
    open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { [] }
    /// Always empty.
    open var rangedRegions: Set<CLRegion> { [] }

    /// Fails with `CLError.rangingUnavailable`.
    open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        engine.call { manager, delegate in
            delegate.locationManager(
                manager, didFailRangingFor: constraint, error: CLError(.rangingUnavailable))
        }
    }

    /// Fails with `CLError.rangingUnavailable`.
    open func startRangingBeacons(in region: CLBeaconRegion) {
        engine.call { manager, delegate in
            delegate.locationManager(
                manager, rangingBeaconsDidFailFor: region,
                withError: CLError(.rangingUnavailable))
        }
    }

    /// Does nothing.
    open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {}
    /// Does nothing.
    open func stopRangingBeacons(in region: CLBeaconRegion) {}

    /// Always `false`.
    open class func deferredLocationUpdatesAvailable() -> Bool { false }

    /// Fails with `CLError.deferredFailed`.
    open func allowDeferredLocationUpdates(
        untilTraveled distance: CLLocationDistance, timeout: TimeInterval
    ) {
        engine.call { manager, delegate in
            delegate.locationManager(
                manager, didFinishDeferredUpdatesWithError: CLError(.deferredFailed))
        }
    }

    /// Does nothing.
    open func disallowDeferredLocationUpdates() {}
}
