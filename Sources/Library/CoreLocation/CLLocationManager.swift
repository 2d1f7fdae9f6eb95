// SPDX-License-Identifier: MIT
public import Delegation
public import Dispatch
import GPSBridge
public import GPSReceivers
import Glibc
import Synchronization

// Every open class of this module is explicitly `nonisolated`, and so are its subclasses.
// Otherwise, a subclass in a target whose default isolation is the main actor would not compile:
// its initializers would belong to the main actor, unlike those that they override.
/// Reports a receiver's locations and headings, and when it enters or leaves a region.
///
/// The receiver is named by the environment variable `GPSBRIDGE_SOURCE` or by a configuration file.
/// Without either, it is the first receiver that is plugged in. Properties that have no effect on
/// Linux keep the values that are assigned to them.
nonisolated open class CLLocationManager: NSObject {
    let engine: ManagerEngine
    /// Stores the manager's proxies. Not available on Apple's systems.
    public let proxyStorage = ProxyStorage()

    /// Creates a manager for the configured receiver.
    ///
    /// Its delegate is called on the main queue if the manager is created on the main queue or the
    /// main actor, otherwise on a private serial queue.
    public override init() {
        let own = PendingReceiver.take(for: Self.self)
        engine = ManagerEngine(
            source: own?.source,
            // Delegate calls must not overlap, even if the queue is concurrent.
            queue: own?.queue.map { DispatchQueue(label: "CoreLocation.delegate", target: $0) }
                ?? (MainQueue.isCurrent ? .main : DispatchQueue(label: "CoreLocation.delegate")),
            headingTimeout: own?.headingTimeout ?? HeadingAvailability.timeout,
            accuracyTimeout: own?.accuracyTimeout ?? ManagerEngine.accuracyTimeout)
        super.init()
        engine.attach(to: self)
    }

    /// Creates a manager for the given receiver. It calls its delegate on `queue`. If `queue` is
    /// `nil`, a queue is selected as in `init()`. A subclass's override of `init()` is called, and
    /// can already use the receiver. Not available on Apple's systems.
    public convenience init(source: any DeviceSource, queue: DispatchQueue? = nil) {
        self.init(source: source, queue: queue, headingTimeout: HeadingAvailability.timeout)
    }

    /// Creates a manager that reports a missing heading after `headingTimeout` seconds, and waits
    /// for the desired accuracy for `accuracyTimeout`, for tests.
    package convenience init(
        source: any DeviceSource, queue: DispatchQueue? = nil, headingTimeout: Double,
        accuracyTimeout: Duration = ManagerEngine.accuracyTimeout
    ) {
        let outer = PendingReceiver.replace(
            with: PendingReceiver(
                managerClass: ObjectIdentifier(Self.self), source: source, queue: queue,
                headingTimeout: headingTimeout, accuracyTimeout: accuracyTimeout))
        self.init()
        _ = PendingReceiver.replace(with: outer)
    }

    // MARK: Delegate and settings

    /// The delegate, held weakly. After an assignment, it receives a call of
    /// `locationManagerDidChangeAuthorization(_:)`.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        get { engine.delegate }
        set {
            engine.delegate = newValue
            if newValue != nil { engine.reportAuthorization() }
        }
    }

    /// The minimum distance in metres between two delivered locations. Default:
    /// `kCLDistanceFilterNone`.
    open var distanceFilter: CLLocationDistance {
        get { engine.manager.distanceFilter }
        set { engine.manager.distanceFilter = newValue }
    }

    /// The accuracy in metres that `requestLocation()` waits for, for up to 10 s. It has no effect
    /// on updates. Default: `kCLLocationAccuracyBest`, which accepts any valid fix.
    open var desiredAccuracy: CLLocationAccuracy {
        get { engine.manager.desiredAccuracy }
        set { engine.manager.desiredAccuracy = newValue }
    }

    /// Has no effect on Linux. Default: `.other`.
    open var activityType = CLActivityType.other
    /// Has no effect on Linux. Default: `true`.
    open var pausesLocationUpdatesAutomatically = true
    /// Has no effect on Linux. Default: `false`.
    open var allowsBackgroundLocationUpdates = false
    /// Has no effect on Linux. Default: `false`.
    open var showsBackgroundLocationIndicator = false
    /// Has no effect on Linux. Default: `.portrait`.
    open var headingOrientation = CLDeviceOrientation.portrait
    /// Has no effect on Linux. Default: `nil`.
    open var headingBody: (any CLBodyIdentifiable)?

    // MARK: Authorization

    /// Whether the program may open the receiver. If it may, the status is `.authorizedWhenInUse`
    /// for a program that has requested only that, and `.authorizedAlways` for any other program.
    open var authorizationStatus: CLAuthorizationStatus { engine.authorizationStatus }
    /// Always `.fullAccuracy`.
    open var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }
    /// Always `false`, because Linux has no widgets.
    open var isAuthorizedForWidgetUpdates: Bool { false }

    /// Returns the last known authorization status of the configured receiver, which all managers
    /// share.
    open class func authorizationStatus() -> CLAuthorizationStatus {
        ManagerEngine.sharedAuthorizationStatus
    }

    /// Returns whether a receiver is configured or a device that may be a receiver is plugged in.
    open class func locationServicesEnabled() -> Bool { ConfiguredReceiver.isPresent }

    /// Requests the authorization `.authorizedWhenInUse`. The user is not asked.
    ///
    /// If it is not known whether the program may open the receiver, or an earlier check has found
    /// that it may not, this is checked at once, so that `authorizationStatus` is known when this
    /// method returns. Afterwards, `locationManagerDidChangeAuthorization(_:)` is called if the
    /// status changes, for all managers that share the receiver. An earlier
    /// `requestAlwaysAuthorization()` remains in effect.
    open func requestWhenInUseAuthorization() { engine.requestAuthorization(.whenInUse) }

    /// Requests the authorization `.authorizedAlways`. Otherwise, it behaves like
    /// `requestWhenInUseAuthorization()`.
    open func requestAlwaysAuthorization() { engine.requestAuthorization(.always) }

    /// Calls `completion` without an error on the queue of the delegate, because the full accuracy
    /// is always authorized.
    open func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)?
    ) {
        guard let completion = completion.map({ Transferred($0) }) else { return }
        engine.queue.async { completion.value(nil) }
    }

    /// Does nothing, because the full accuracy is always authorized.
    open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {}

    /// Calls the method with a completion handler and waits for its result. A subclass may override
    /// that method.
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

    /// The last valid location; `nil` if none has been received. It may be old: check its
    /// `timestamp`. It is shared by all managers created by `init()`, and includes the locations
    /// that loops over live updates receive.
    open var location: CLLocation? { engine.location }

    /// Starts location updates and returns immediately. Starting again has no effect.
    open func startUpdatingLocation() { engine.manager.startUpdatingLocation() }

    /// Stops location updates and cancels a pending `requestLocation()`. Afterwards, the delegate
    /// is not called for either, except for a call that has already begun.
    open func stopUpdatingLocation() { engine.stopUpdatingLocation() }

    /// Requests one location. `didUpdateLocations` or `didFailWithError` is called once, within
    /// 60 s. Has no effect while a request is pending.
    ///
    /// The location is the first one as accurate as `desiredAccuracy` or, 10 s after the first fix,
    /// the most accurate one so far.
    open func requestLocation() { engine.requestLocation() }

    // MARK: Headings

    /// Returns whether a receiver may have a compass. The result is `true` until heading updates
    /// have run for 60 s without a heading. When a heading is received, it becomes `true` again.
    open class func headingAvailable() -> Bool { HeadingAvailability.isAvailable }

    /// The last heading; `nil` if none has been received.
    open var heading: CLHeading? { engine.heading }

    /// The minimum change in degrees between two delivered headings. Default: 1.
    open var headingFilter: CLLocationDegrees {
        get { engine.manager.headingFilter }
        set { engine.manager.headingFilter = newValue }
    }

    /// Starts heading updates and returns immediately. If no heading is received within 60 s,
    /// `didFailWithError` is called with `CLError.headingFailure`.
    open func startUpdatingHeading() { engine.startUpdatingHeading() }

    /// Stops heading updates.
    open func stopUpdatingHeading() { engine.stopUpdatingHeading() }

    /// Does nothing, because the calibration display does not exist on Linux.
    open func dismissHeadingCalibrationDisplay() {}

    // MARK: Regions

    /// Returns whether regions of a class can be monitored: `true` for `CLCircularRegion` and its
    /// subclasses.
    open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
        regionClass is CLCircularRegion.Type
    }

    /// The monitored regions. All managers that are created by `init()` share them.
    open var monitoredRegions: Set<CLRegion> { engine.monitoredRegions }
    /// The maximum radius of a region in metres: 1,000,000.
    open var maximumRegionMonitoringDistance: CLLocationDistance { RegionStore.maximumRadius }

    /// Starts to report when the receiver enters or leaves a circle, to the delegates of all
    /// managers that are created by `init()`. Monitoring continues when this manager is released. A
    /// manager with its own receiver reports only its own regions, until it is released.
    ///
    /// `monitoringDidFailFor` is called if the region is not a valid `CLCircularRegion` with a
    /// radius of at most `maximumRegionMonitoringDistance`, or if 20 other regions are monitored.
    open func startMonitoring(for region: CLRegion) { engine.startMonitoring(region) }

    /// The same as `startMonitoring(for:)`. The accuracy is ignored.
    open func startMonitoring(for region: CLRegion, desiredAccuracy accuracy: CLLocationAccuracy) {
        startMonitoring(for: region)
    }

    /// Stops monitoring the region with the same identifier, even if another manager that shares
    /// the monitored regions has started it.
    open func stopMonitoring(for region: CLRegion) { engine.stopMonitoring(region) }

    /// Requests whether the receiver is inside a circle. `didDetermineState` is called at once if
    /// the region is monitored and its state is known, otherwise after the next fix. A monitored
    /// region with the same identifier and another circle does not count.
    open func requestState(for region: CLRegion) { engine.requestState(of: region) }

    // MARK: Significant changes

    /// Always returns `true`.
    open class func significantLocationChangeMonitoringAvailable() -> Bool { true }

    /// Starts to deliver a location whenever the receiver has moved by 500 m. Unlike on Apple's
    /// systems, a program that has ended is not launched again.
    open func startMonitoringSignificantLocationChanges() { engine.startSignificantChanges() }

    /// Stops the updates started by `startMonitoringSignificantLocationChanges()`.
    open func stopMonitoringSignificantLocationChanges() { engine.stopSignificantChanges() }

    // MARK: Not available on Linux

    /// Does nothing, because visits are never reported.
    open func startMonitoringVisits() {}
    /// Does nothing, because visits are never reported.
    open func stopMonitoringVisits() {}

    /// Always returns `false`, because ranging of beacons is not supported.
    open class func isRangingAvailable() -> Bool { false }
    /// Always empty, because ranging of beacons is not supported.
    open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { [] }
    /// Always empty, because ranging of beacons is not supported.
    open var rangedRegions: Set<CLRegion> { [] }

    /// Calls the delegate's `didFailRangingFor` with `CLError.rangingUnavailable`.
    open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        engine.call { manager, delegate in
            delegate.locationManager(
                manager, didFailRangingFor: constraint, error: CLError(.rangingUnavailable))
        }
    }

    /// Calls the delegate's `rangingBeaconsDidFailFor` with `CLError.rangingUnavailable`.
    open func startRangingBeacons(in region: CLBeaconRegion) {
        engine.call { manager, delegate in
            delegate.locationManager(
                manager, rangingBeaconsDidFailFor: region,
                withError: CLError(.rangingUnavailable))
        }
    }

    /// Does nothing, because ranging never starts.
    open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {}
    /// Does nothing, because ranging never starts.
    open func stopRangingBeacons(in region: CLBeaconRegion) {}

    /// Always returns `false`, because deferred updates are not supported.
    open class func deferredLocationUpdatesAvailable() -> Bool { false }

    /// Calls the delegate's `didFinishDeferredUpdatesWithError` with `CLError.deferredFailed`.
    open func allowDeferredLocationUpdates(
        untilTraveled distance: CLLocationDistance, timeout: TimeInterval
    ) {
        engine.call { manager, delegate in
            delegate.locationManager(
                manager, didFinishDeferredUpdatesWithError: CLError(.deferredFailed))
        }
    }

    /// Does nothing, because deferred updates never start.
    open func disallowDeferredLocationUpdates() {}
}

/// The permission to open the receiver, and the authorization that the program has requested.
struct Authorization: Sendable {
    /// Whether the device may be opened.
    enum Permission {
        case unknown
        /// The file permissions do not allow reading the device. Each request checks them again.
        case unreadable
        /// The device was refused when it was opened.
        case denied
        case granted

        /// Creates the permission that a manager has determined; `nil` if it has determined none.
        init?(_ status: AuthorizationStatus) {
            switch status {
            case .notDetermined: return nil
            case .denied: self = .denied
            case .authorizedAlways: self = .granted
            }
        }
    }

    /// The authorization that the program has requested. The highest request remains in effect.
    enum Request: Comparable {
        case none, whenInUse, always
    }

    var permission = Permission.unknown
    var request = Request.none

    /// Changes the values. Returns the status before and after the change.
    mutating func change(
        _ change: (inout Authorization) -> Void
    ) -> (old: CLAuthorizationStatus, new: CLAuthorizationStatus) {
        let old = status
        change(&self)
        return (old, status)
    }

    /// The status for the program. A granted permission is reported as `.authorizedWhenInUse` only
    /// if that is what the program has requested, as on Apple's systems.
    var status: CLAuthorizationStatus {
        switch (permission, request) {
        case (.unknown, _): .notDetermined
        case (.unreadable, _), (.denied, _): .denied
        case (.granted, .whenInUse): .authorizedWhenInUse
        case (.granted, .none), (.granted, .always): .authorizedAlways
        }
    }
}

/// Whether a receiver of this program has a compass.
///
/// The result is `true` until heading updates have run for `timeout` without a heading. As soon as
/// a heading has been received, the result is `true` and stays so.
enum HeadingAvailability {
    /// The time in seconds after the start of heading updates at which a missing heading is
    /// reported.
    static let timeout = 60.0

    private static let isKnown = Atomic(false)
    private static let isMissing = Atomic(false)

    static var isAvailable: Bool {
        isKnown.load(ordering: .relaxed) || !isMissing.load(ordering: .relaxed)
    }

    static func didReceiveHeading() { isKnown.store(true, ordering: .relaxed) }

    static func didTimeOut() { isMissing.store(true, ordering: .relaxed) }
}

/// The receiver and settings of a manager that `CLLocationManager(source:queue:)` creates, until
/// `CLLocationManager.init()` takes them.
///
/// That initializer calls `init()`, which a subclass may override. So the arguments cannot be
/// passed on. They are stored for the calling thread instead, so that the manager has its receiver
/// before the rest of the override uses it.
private struct PendingReceiver: Sendable {
    /// The class of the new manager. An override of `init()` may create managers of other classes
    /// before it calls `super.init()`.
    let managerClass: ObjectIdentifier
    let source: any DeviceSource
    let queue: DispatchQueue?
    let headingTimeout: Double
    let accuracyTimeout: Duration

    /// The values by thread.
    private static let stored = Mutex<[UInt: PendingReceiver]>([:])

    /// Stores the value of the calling thread. Returns the value that it replaces.
    static func replace(with new: PendingReceiver?) -> PendingReceiver? {
        let thread = UInt(pthread_self())
        return stored.withLock { exchange(&$0[thread], with: new) }
    }

    /// Removes and returns the value of the calling thread; `nil` if there is none for a manager of
    /// this class.
    static func take(for managerClass: AnyClass) -> PendingReceiver? {
        let thread = UInt(pthread_self())
        return stored.withLock { stored in
            guard stored[thread]?.managerClass == ObjectIdentifier(managerClass) else { return nil }
            return stored.removeValue(forKey: thread)
        }
    }
}

// Safety: the values are objects and closures of the program. This module stores them under a lock,
// uses them only on the queue on which the program expects calls, and returns them to the program.
/// Passes a value that is not `Sendable` to the queue on which the program's delegate or closure is
/// called.
struct Transferred<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
