// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GNSS
package import GPSBridge
import GPSReceivers
import Synchronization

/// The implementation of `CLLocationManager`. It passes the updates of a `LocationManager` of
/// `GPSBridge` to the program's delegate.
final class ManagerEngine: LocationManagerDelegate, Sendable {
    /// The serial queue for calls of the delegate.
    let queue: DispatchQueue

    /// The distance in metres between two locations of the service for significant location
    /// changes.
    private static let significantDistance = 500.0

    /// The receiver that was given to the manager; `nil` for the configured receiver.
    private let ownSource: (any DeviceSource)?
    private let state = Mutex(State())
    private let headingTimeout: Double
    /// The default time that a request waits for the desired accuracy after the first fix.
    static let accuracyTimeout = Duration.seconds(10)
    private let accuracyTimeout: Duration
    /// The program's delegate, and the proxy that sends the calls as events.
    let delegateSlot = DelegateSlot<any CLLocationManagerDelegate>()
    // Safety: set once, while the manager is created.
    private nonisolated(unsafe) weak var owner: CLLocationManager?

    private struct State: Sendable {
        var manager: LocationManager?
        /// A second manager that delivers only significant changes.
        var significantChanges: LocationManager?
        var request: LocationRequest?
        var requestCount = 0
        /// The location delivered for the last request, so that it is not delivered again as an
        /// update.
        var requested: Location?
        /// The timestamp of the last update delivered while a request was pending, so that its
        /// location is not delivered again for the request.
        var updated: Date?
        /// The last update while both managers exist, and whether it was a significant change.
        var last: (location: Location, isSignificant: Bool)?
        /// The last location that was delivered to a delegate that implements only the older method
        /// `locationManager(_:didUpdateTo:from:)`.
        var delivered: CLLocation?
        var headings = HeadingState()
        /// The monitored regions of a manager with its own receiver; `nil` until they are first
        /// needed.
        var ownRegions: RegionStore?
        /// The authorization of a receiver that was given to the manager. For the configured
        /// receiver, `sharedAuthorization` is used instead.
        var ownAuthorization = Authorization()
        /// The status last reported to the delegate.
        var reportedStatus = CLAuthorizationStatus.notDetermined
        /// The subscriptions to changes of the authorization and the regions that all managers of
        /// the configured receiver share; empty until a delegate is assigned.
        var following: [ScopedSubscription] = []

        /// Returns whether the other manager has just reported the same location. Otherwise, stores
        /// the location.
        mutating func isRepeated(_ location: Location?, by core: LocationManager) -> Bool {
            guard manager != nil, let significantChanges, let location else { return false }
            let isSignificant = core === significantChanges
            if let last, last.isSignificant != isSignificant, last.location == location {
                return true
            }
            last = (location, isSignificant)
            return false
        }
    }

    private struct LocationRequest: Sendable {
        let number: Int
        let task: Task<Void, Never>
    }

    /// Creates an engine for a receiver. If `source` is `nil`, it reads the configured receiver.
    /// `headingTimeout` is in seconds.
    init(
        source: (any DeviceSource)?, queue: DispatchQueue, headingTimeout: Double,
        accuracyTimeout: Duration
    ) {
        ownSource = source
        self.queue = queue
        self.headingTimeout = headingTimeout
        self.accuracyTimeout = accuracyTimeout
    }

    deinit {
        if !hasOwnSource { Self.sharedRegions.removeRequests(of: ObjectIdentifier(self)) }
        state.withLock { $0.request }?.task.cancel()
    }

    /// The receiver that was given to the manager, or the configured receiver.
    var source: any DeviceSource { ownSource ?? ConfiguredReceiver.source }
    /// Whether a receiver was given to the manager.
    private var hasOwnSource: Bool { ownSource != nil }

    /// The manager that reads the receiver. It is created when it is first needed, so that a
    /// program that does not need it does not read the configuration.
    var manager: LocationManager {
        state.withLock { state in
            if let manager = state.manager { return manager }
            let manager = LocationManager(sources: [source], queue: queue)
            manager.delegate = self
            state.manager = manager
            return manager
        }
    }

    private var existingManager: LocationManager? { state.withLock { $0.manager } }

    // MARK: The delegate

    func attach(to manager: CLLocationManager) {
        owner = manager
    }

    var delegate: (any CLLocationManagerDelegate)? {
        get { delegateSlot.delegate }
        set {
            delegateSlot.delegate = newValue
            if newValue != nil { follow() }
        }
    }

    /// Makes a proxy receive the calls first, or removes it.
    func setProxy(_ proxy: CLLocationManagerProxy?) {
        delegateSlot.setSink(proxy, base: proxy?.base)
        if proxy != nil { follow() }
    }

    /// Returns the object to be called instead of `delegate`: if that is the manager's delegate, the
    /// manager's proxy.
    func receiver(
        for delegate: any CLLocationManagerDelegate
    ) -> any CLLocationManagerDelegate {
        delegateSlot.delegate === delegate ? delegateSlot.sink ?? delegate : delegate
    }

    /// Starts to report changes of the authorization and of regions of the configured receiver,
    /// including changes that other managers cause.
    private func follow() {
        guard !hasOwnSource else { return }
        state.withLock { state in
            guard state.following.isEmpty else { return }
            state.following = [followSharedAuthorization(), followSharedRegions()]
        }
    }

    /// Runs `call` with the manager and its delegate, unless one of them has been released. Use it
    /// only on `queue`.
    private func deliver(_ call: (CLLocationManager, any CLLocationManagerDelegate) -> Void) {
        // This does not use `manager.delegate`, because a subclass may override the property.
        guard let manager = owner, let delegate = delegateSlot.sink else { return }
        call(manager, delegate)
    }

    /// Schedules `call` on `queue`, with the manager and its delegate as arguments.
    func call(
        _ call: @escaping @Sendable (CLLocationManager, any CLLocationManagerDelegate) -> Void
    ) {
        queue.async { [weak self] in self?.deliver(call) }
    }

    // MARK: Locations

    /// The newest location of this manager or, if it has no receiver of its own, of the program. A
    /// new manager therefore has a location if another manager has already received one.
    var location: CLLocation? {
        let (updates, changes) = state.withLock { ($0.manager, $0.significantChanges) }
        let shared =
            hasOwnSource
            ? state.withLock { $0.ownRegions }?.location : ConfiguredReceiver.lastLocation
        return [updates?.location, changes?.location, shared]
            .compactMap(\.self).max { $0.timestamp < $1.timestamp }
            .map { CLLocation(receiver: $0) }
    }

    private func didReceive(_ location: Location?) {
        guard !hasOwnSource, let location else { return }
        ConfiguredReceiver.didReceive(location)
    }

    func stopUpdatingLocation() {
        let request = state.withLock { state in
            defer { (state.request, state.updated, state.requested) = (nil, nil, nil) }
            return state.request
        }
        request?.task.cancel()
        existingManager?.stopUpdatingLocation()
    }

    func requestLocation() {
        let manager = manager
        state.withLock { state in
            guard state.request == nil else { return }
            state.requestCount += 1
            let number = state.requestCount
            let task = Task { [weak self, accuracyTimeout] in
                do {
                    // The task does not retain the engine while it waits, so that the request does
                    // not keep the engine alive.
                    let location = try await manager.requestLocation(
                        accuracyTimeout: accuracyTimeout)
                    self?.didReceive(.success(location), for: number)
                } catch let error as LocationError {
                    self?.didReceive(.failure(error), for: number)
                } catch {
                    // The request was cancelled by `stopUpdatingLocation()`, so there is nothing to
                    // report.
                }
            }
            state.request = LocationRequest(number: number, task: task)
        }
    }

    private func didReceive(_ outcome: Result<Location, LocationError>, for number: Int) {
        queue.async { [weak self] in self?.deliver(outcome, for: number) }
    }

    private func deliver(_ outcome: Result<Location, LocationError>, for number: Int) {
        let isPending = state.withLock { state in
            guard state.request?.number == number else { return false }
            state.request = nil
            defer { state.updated = nil }
            guard case .success(let location) = outcome else { return true }
            // The location is not delivered if an update has already delivered the same one or a
            // newer one.
            if let updated = state.updated, updated >= location.timestamp { return false }
            state.requested = location
            return true
        }
        guard isPending else { return }
        switch outcome {
        case .success(let location): didReceive(location)
        case .failure(let error): if error.code == .denied { didDetermine(.denied) }
        }
        deliver { manager, delegate in
            switch outcome {
            case .success(let location):
                delegate.locationManager(
                    manager, didUpdateLocations: [CLLocation(receiver: location)])
            case .failure(let error):
                delegate.locationManager(manager, didFailWithError: CLError(error))
            }
        }
    }

    func locationManager(_ core: LocationManager, didUpdateLocations locations: [Location]) {
        didReceive(locations.last)
        let isNew = state.withLock { state in
            let isRepeated = state.isRepeated(locations.last, by: core)
            guard core !== state.significantChanges else { return !isRepeated }
            // Without a request, which is the usual case, this returns early.
            guard state.request != nil || state.requested != nil else { return !isRepeated }
            if state.request != nil { state.updated = locations.last?.timestamp }
            let isDelivered = exchange(&state.requested, with: nil) == locations.last
            return !isRepeated && !isDelivered
        }
        if isNew { deliver(locations) }
    }

    /// Delivers locations to the delegate. Use it only on `queue`.
    private func deliver(_ locations: [Location]) {
        if let last = locations.indices.last, locations[last].fix.attitude.hasHeading {
            HeadingAvailability.didReceiveHeading()
        }
        deliver {
            $1.locationManager($0, didUpdateLocations: locations.map { CLLocation(receiver: $0) })
        }
    }

    /// Stores a location for the next call. Returns the location from the previous call, or `new`
    /// if this is the first call.
    func previous(replacedBy new: CLLocation) -> CLLocation {
        state.withLock { exchange(&$0.delivered, with: new) } ?? new
    }

    func locationManager(_ core: LocationManager, didFailWithError error: LocationError) {
        if error.code == .denied { didDetermine(.denied) }
        // Both managers read one receiver, so each of its failures reaches both.
        let (main, significant) = state.withLock { ($0.manager, $0.significantChanges) }
        guard core !== significant || main?.isUpdatingLocation != true else { return }
        deliver { $1.locationManager($0, didFailWithError: CLError(error)) }
    }

    // MARK: Significant changes

    func startSignificantChanges() {
        let changes = state.withLock { state in
            if let changes = state.significantChanges { return changes }
            let changes = LocationManager(sources: [source], queue: queue)
            changes.distanceFilter = Self.significantDistance
            changes.delegate = self
            state.significantChanges = changes
            return changes
        }
        changes.startUpdatingLocation()
    }

    func stopSignificantChanges() {
        state.withLock { $0.significantChanges }?.stopUpdatingLocation()
    }
}

extension ManagerEngine {
    private static let sharedAuthorization = Mutex(Authorization())
    /// Sent after each change of the configured receiver's status.
    private static let statusChanges = Event<Void>()

    /// The authorization status of the configured receiver. All managers that read this receiver
    /// share the status.
    static var sharedAuthorizationStatus: CLAuthorizationStatus {
        sharedAuthorization.withLock { $0.status }
    }

    var authorizationStatus: CLAuthorizationStatus { changeAuthorization { _ in }.new }

    /// Changes the authorization of this engine's receiver, which all engines share if it is the
    /// configured receiver. Returns the status before and after the change.
    @discardableResult
    private func changeAuthorization(
        _ change: (inout Authorization) -> Void
    ) -> (old: CLAuthorizationStatus, new: CLAuthorizationStatus) {
        hasOwnSource
            ? state.withLock { $0.ownAuthorization.change(change) }
            : Self.changeSharedAuthorization(change)
    }

    /// Changes the authorization of the configured receiver. If this changes the status, all
    /// engines that read the receiver report it. Returns the status before and after the change.
    @discardableResult
    private static func changeSharedAuthorization(
        _ change: (inout Authorization) -> Void
    ) -> (old: CLAuthorizationStatus, new: CLAuthorizationStatus) {
        let status = sharedAuthorization.withLock { $0.change(change) }
        if status.new != status.old { statusChanges.send(()) }
        return status
    }

    /// Stores whether the configured receiver may be opened.
    static func didDetermineShared(_ permission: Authorization.Permission) {
        changeSharedAuthorization { $0.permission = permission }
    }

    /// Stores the status of a manager that reads the configured receiver.
    static func didChangeShared(_ status: AuthorizationStatus) {
        if let permission = Authorization.Permission(status) { didDetermineShared(permission) }
    }

    /// Starts to report changes of the configured receiver's authorization status, including those
    /// that other managers cause. Reports end when the result is released.
    private func followSharedAuthorization() -> ScopedSubscription {
        Self.statusChanges.observe { [weak self] in
            self?.queue.async { [weak self] in self?.reportStatus() }
        }.scoped
    }

    /// Reports the authorization to a newly assigned delegate, unless another delegate is assigned
    /// before the call. Checks again whether the receiver may be opened if only a check has found
    /// that it may not.
    func reportAuthorization() {
        let assigned = delegate.map { ObjectIdentifier($0) }
        queue.async { [weak self] in
            guard let self else { return }
            checkPermission(after: [.unreadable])
            deliver { manager, delegate in
                guard ObjectIdentifier(delegate) == assigned else { return }
                let status = authorizationStatus
                state.withLock { $0.reportedStatus = status }
                delegate.locationManagerDidChangeAuthorization(manager)
            }
        }
    }

    /// Stores the requested authorization. If it is not known whether the receiver may be opened,
    /// or only a check has found that it may not, checks this. Reports the status to the delegate
    /// if it changes.
    ///
    /// The check takes milliseconds. It is not made in the background, because programs read the
    /// status directly after the request: on Apple's systems, it is known from an earlier run.
    func requestAuthorization(_ request: Authorization.Request) {
        changeAuthorization { $0.request = max($0.request, request) }
        checkPermission(after: [.unknown, .unreadable])
        queue.async { [weak self] in self?.reportStatus() }
    }

    /// Checks whether the receiver may be opened if the permission is one of `permissions`. Stores
    /// the result. Writes the remedy to standard error when it is first denied, because no error is
    /// reported to the delegate.
    private func checkPermission(after permissions: Set<Authorization.Permission>) {
        guard permissions.contains(permission) else { return }
        let refusal = ReceiverAccess.refusal(of: source)
        let new: Authorization.Permission = refusal == nil ? .granted : .unreadable
        var isChange = false
        changeAuthorization { authorization in
            guard permissions.contains(authorization.permission) else { return }
            isChange = exchange(&authorization.permission, with: new) != new
        }
        if isChange, let refusal { ConfiguredReceiver.report("\(refusal)") }
    }

    private var permission: Authorization.Permission {
        hasOwnSource
            ? state.withLock { $0.ownAuthorization.permission }
            : Self.sharedAuthorization.withLock { $0.permission }
    }

    func locationManagerDidChangeAuthorization(_ core: LocationManager) {
        if let permission = Authorization.Permission(core.authorizationStatus) {
            didDetermine(permission)
        }
    }

    /// Stores a permission, and reports the status to the delegate if it has changed. Use it only
    /// on `queue`.
    private func didDetermine(_ permission: Authorization.Permission) {
        changeAuthorization { $0.permission = permission }
        reportStatus()
    }

    private func reportStatus() {
        let status = authorizationStatus
        let isChange = state.withLock {
            exchange(&$0.reportedStatus, with: status) != status
        }
        if isChange { deliver { $1.locationManagerDidChangeAuthorization($0) } }
    }
}

extension ManagerEngine {
    var heading: CLHeading? { existingManager?.heading.map { CLHeading(receiver: $0) } }

    func startUpdatingHeading() {
        let started: Int? = state.withLock { state in
            // A compass at rest reports nothing more, so a second start must not wait for a heading.
            guard !state.headings.isRunning else { return nil }
            state.headings = HeadingState(
                isRunning: true, isMissing: true, runCount: state.headings.runCount + 1)
            return state.headings.runCount
        }
        guard let number = started else { return }
        manager.startUpdatingHeading()
        queue.asyncAfter(deadline: .now() + headingTimeout) { [weak self] in
            guard let self else { return }
            let headings = state.withLock { $0.headings }
            guard headings.isMissing, headings.runCount == number else { return }
            HeadingAvailability.didTimeOut()
            deliver { $1.locationManager($0, didFailWithError: CLError(.headingFailure)) }
        }
    }

    func stopUpdatingHeading() {
        state.withLock { ($0.headings.isRunning, $0.headings.isMissing) = (false, false) }
        existingManager?.stopUpdatingHeading()
    }

    func locationManager(_ core: LocationManager, didUpdateHeading heading: Heading) {
        state.withLock { $0.headings.isMissing = false }
        HeadingAvailability.didReceiveHeading()
        deliver { $1.locationManager($0, didUpdateHeading: CLHeading(receiver: heading)) }
    }
}

/// Tracks whether heading updates have delivered a heading.
private struct HeadingState: Sendable {
    /// Whether heading updates have started and not stopped.
    var isRunning = false
    /// Whether heading updates have started and no heading has been delivered since.
    var isMissing = false
    /// The number of starts. A timeout is ignored if updates have been started again since.
    var runCount = 0
}

extension CLHeading {
    /// The value in degrees to use for an unknown heading accuracy, because a negative value would
    /// mean that the heading is invalid.
    private static let unknownAccuracy = 5.0

    package convenience init(receiver heading: Heading) {
        self.init(
            Heading(
                trueHeading: heading.trueHeading,
                magneticHeading: heading.magneticHeading >= 0
                    ? heading.magneticHeading : heading.trueHeading,
                headingAccuracy: heading.headingAccuracy >= 0
                    ? heading.headingAccuracy : Self.unknownAccuracy,
                timestamp: heading.timestamp))
    }
}

extension ManagerEngine {
    /// The event for state changes of the circles that managers of the configured receiver monitor.
    private static let circleChanges = Event<CircleMonitor.Change>()

    /// The regions that managers of the configured receiver monitor. As on Apple's systems, they
    /// belong to the program and not to a manager.
    private static let sharedRegions = RegionStore(
        source: nil, queue: DispatchQueue(label: "CoreLocation.regions")
    ) { circleChanges.send($0) }

    /// The store of the monitored regions: the manager's own if it has its own receiver, otherwise
    /// the store that all other managers share.
    private var regions: RegionStore {
        guard hasOwnSource else { return Self.sharedRegions }
        return state.withLock { state in
            if let existing = state.ownRegions { return existing }
            let regions = RegionStore(source: ownSource, queue: queue) { [weak self] in
                self?.didChange($0)
            }
            state.ownRegions = regions
            return regions
        }
    }

    /// Starts to report state changes of the shared regions, including those that other managers
    /// monitor. Reports end when the result is released.
    private func followSharedRegions() -> ScopedSubscription {
        Self.circleChanges.observe { [weak self] change in
            self?.queue.async { [weak self] in self?.didChange(change) }
        }.scoped
    }

    var monitoredRegions: Set<CLRegion> { regions.monitored }

    func startMonitoring(_ region: CLRegion) {
        guard let circle = Self.circle(of: region), regions.insert(region) else {
            call { manager, delegate in
                delegate.locationManager(
                    manager, monitoringDidFailFor: region,
                    withError: CLError(.regionMonitoringFailure))
            }
            return
        }
        call { manager, delegate in
            delegate.locationManager(manager, didStartMonitoringFor: region)
        }
        regions.circles.add(circle, identifier: region.identifier)
    }

    func stopMonitoring(_ region: CLRegion) { regions.remove(region.identifier) }

    func requestState(of region: CLRegion) {
        guard let circle = Self.circle(of: region) else { return reportState(.unknown, of: region) }
        let request = CircleMonitor.Request(
            identifier: region.identifier, circle: circle, requester: ObjectIdentifier(self))
        // The request is stored before the state is read, so that a fix in between answers it.
        regions.store(request, for: region)
        let known = regions.circles.state(for: request)
        guard known != .unknown, let region = regions.take(request) else { return }
        reportState(known, of: region)
    }

    private func reportState(_ state: CLRegionState, of region: CLRegion) {
        call { manager, delegate in
            delegate.locationManager(manager, didDetermineState: state, for: region)
        }
    }

    private static func circle(of region: CLRegion) -> Circle? {
        guard let region = region as? CLCircularRegion,
            CLLocationCoordinate2DIsValid(region.center), region.radius >= 0,
            region.radius <= RegionStore.maximumRadius
        else { return nil }
        return Circle(center: region.center, radius: region.radius)
    }

    /// Reports the answer to a request of this engine, or the crossing of a monitored circle, to the
    /// delegate. Called on `queue`.
    private func didChange(_ change: CircleMonitor.Change) {
        if let request = change.request {
            guard request.requester == ObjectIdentifier(self), let region = regions.take(request)
            else { return }
            deliver { manager, delegate in
                delegate.locationManager(manager, didDetermineState: change.new, for: region)
            }
            return
        }
        guard change.old != .unknown, let region = regions.region(change.identifier),
            Self.circle(of: region) == change.circle
        else { return }
        deliver { manager, delegate in
            if change.new == .inside, region.notifyOnEntry {
                delegate.locationManager(manager, didEnterRegion: region)
            }
            if change.new == .outside, region.notifyOnExit {
                delegate.locationManager(manager, didExitRegion: region)
            }
            delegate.locationManager(manager, didDetermineState: change.new, for: region)
        }
    }
}
