// SPDX-License-Identifier: MIT
public import Dispatch
import GPSBridge
public import GPSReceivers

/// Reports where a receiver is, which way it points, and when it enters a region.
///
/// The receiver is the one that `GPSBRIDGE_SOURCE` or the configuration file names, else the first that
/// is plugged in. Members without an effect on Linux keep what is assigned to them.
open class CLLocationManager: NSObject {
    private(set) var engine: ManagerEngine

    /// Creates a manager.
    ///
    /// Its delegate is called on the main queue if it is created there or on the main actor, else on a
    /// queue of the manager's.
    public override init() {
        engine = ManagerEngine(
            source: nil,
            queue: MainQueue.isCurrent ? .main : DispatchQueue(label: "CoreLocation.delegate"))
        super.init()
        engine.attach(to: self)
    }

    /// Creates a manager of a receiver, which calls its delegate on a queue, or by default on the same
    /// one as `init()` does. Not on Apple's systems.
    public convenience init(source: any DeviceSource, queue: DispatchQueue? = nil) {
        self.init(source: source, queue: queue, headingTimeout: HeadingAvailability.timeout)
    }

    /// Creates a manager that reports after that many seconds that no heading has come.
    package convenience init(
        source: any DeviceSource, queue: DispatchQueue? = nil, headingTimeout: Double
    ) {
        self.init()
        engine = ManagerEngine(
            source: source,
            // Calls never overlap, on a concurrent queue neither.
            queue: queue.map { DispatchQueue(label: "CoreLocation.delegate", target: $0) }
                ?? engine.queue,
            headingTimeout: headingTimeout)
        engine.attach(to: self)
    }

    // MARK: Delegate and settings

    /// The delegate, held weakly. None of its methods is needed.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        get { engine.delegate }
        set {
            engine.delegate = newValue
            if newValue != nil { engine.reportAuthorization() }
        }
    }

    /// Metres from the last location delivered to the next. Default: `kCLDistanceFilterNone`.
    open var distanceFilter: CLLocationDistance {
        get { engine.manager.distanceFilter }
        set { engine.manager.distanceFilter = newValue }
    }

    /// Metres that `requestLocation()` waits for if positive. Default: `kCLLocationAccuracyBest`, any
    /// valid fix.
    open var desiredAccuracy: CLLocationAccuracy {
        get { engine.manager.desiredAccuracy }
        set { engine.manager.desiredAccuracy = newValue }
    }

    /// Without effect. Default: `.other`.
    open var activityType = CLActivityType.other
    /// Without effect. Default: `true`.
    open var pausesLocationUpdatesAutomatically = true
    /// Without effect. Default: `false`.
    open var allowsBackgroundLocationUpdates = false
    /// Without effect. Default: `false`.
    open var showsBackgroundLocationIndicator = false
    /// Without effect. Default: `.portrait`.
    open var headingOrientation = CLDeviceOrientation.portrait

    // MARK: Authorization

    /// Whether the receiver may be opened: `.authorizedWhenInUse` if the program has asked for that
    /// alone, else `.authorizedAlways`.
    open var authorizationStatus: CLAuthorizationStatus { engine.authorizationStatus }
    /// Always `.fullAccuracy`.
    open var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }
    /// `false`.
    open var isAuthorizedForWidgetUpdates: Bool { false }

    /// The last status of the receiver that all managers share; see the property.
    open class func authorizationStatus() -> CLAuthorizationStatus {
        ManagerEngine.sharedAuthorizationStatus
    }

    /// Whether a receiver is configured or plugged in.
    open class func locationServicesEnabled() -> Bool { ConfiguredReceiver.isPresent }

    /// Finds out whether the receiver may be opened, if that is not known. Asks nothing of the user; one
    /// call of `locationManagerDidChangeAuthorization(_:)` follows, and the status is
    /// `.authorizedWhenInUse`, unless `requestAlwaysAuthorization()` has been called.
    open func requestWhenInUseAuthorization() { engine.requestAuthorization(.whenInUse) }

    /// The same as `requestWhenInUseAuthorization()`; the status is `.authorizedAlways`.
    open func requestAlwaysAuthorization() { engine.requestAuthorization(.always) }

    /// Calls `completion` on the delegate's queue, without an error: accuracy is always full.
    open func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)?
    ) {
        guard let completion = completion.map({ Transferred($0) }) else { return }
        engine.queue.async { completion.value(nil) }
    }

    /// Does nothing: accuracy is always full.
    open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {}

    /// Calls the method with a completion handler, which a subclass may have overridden, and waits.
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

    /// The last valid location; look at its timestamp.
    open var location: CLLocation? { engine.location }

    /// Starts updates; returns at once. Starting again does nothing.
    open func startUpdatingLocation() { engine.manager.startUpdatingLocation() }

    /// Stops updates, and a pending `requestLocation()`. No call of theirs begins afterwards.
    open func stopUpdatingLocation() { engine.stopUpdatingLocation() }

    /// Asks for one location: one call of `didUpdateLocations` or of `didFailWithError` follows, within
    /// 60 s. Asking again while one is pending does nothing.
    open func requestLocation() { engine.requestLocation() }

    // MARK: Headings

    /// Whether there is a compass: `true` until heading updates have gone on for 60 s without a heading,
    /// and once a receiver has sent one.
    open class func headingAvailable() -> Bool { HeadingAvailability.isAvailable }

    /// The last heading.
    open var heading: CLHeading? { engine.heading }

    /// Degrees to turn before the next heading is delivered. Default: 1.
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

    /// Whether regions of a class can be monitored: circles.
    open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
        regionClass is CLCircularRegion.Type
    }

    /// The regions that this manager monitors.
    open var monitoredRegions: Set<CLRegion> { engine.monitoredRegions }
    /// Metres of the largest radius.
    open var maximumRegionMonitoringDistance: CLLocationDistance { RegionState.maximumRadius }

    /// Begins to report entering and leaving a circle, for as long as the manager exists. 20 at most.
    open func startMonitoring(for region: CLRegion) { engine.startMonitoring(region) }

    /// The same as `startMonitoring(for:)`.
    open func startMonitoring(for region: CLRegion, desiredAccuracy accuracy: CLLocationAccuracy) {
        startMonitoring(for: region)
    }

    /// Ends monitoring of the region of that name.
    open func stopMonitoring(for region: CLRegion) { engine.stopMonitoring(region) }

    /// Asks whether the location is inside a circle; `didDetermineState` follows, with the next fix if it
    /// is not known.
    open func requestState(for region: CLRegion) { engine.requestState(of: region) }

    // MARK: Significant changes

    /// `true`: a change of 500 m is significant.
    open class func significantLocationChangeMonitoringAvailable() -> Bool { true }

    /// Starts locations every 500 m. The program is not launched for them.
    open func startMonitoringSignificantLocationChanges() { engine.startSignificantChanges() }

    /// Stops them.
    open func stopMonitoringSignificantLocationChanges() { engine.stopSignificantChanges() }

    // MARK: What there is not on Linux

    /// Does nothing: visits are never reported.
    open func startMonitoringVisits() {}
    /// Does nothing.
    open func stopMonitoringVisits() {}

    /// `false`.
    open class func isRangingAvailable() -> Bool { false }
    /// Empty.
    open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { [] }
    /// Empty.
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

    /// `false`.
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
