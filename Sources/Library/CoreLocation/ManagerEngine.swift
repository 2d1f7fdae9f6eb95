// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GNSS
import GPSBridge
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
    let ownSource: (any DeviceSource)?
    private let state = Mutex(State())
    let headings = Mutex(HeadingState())
    let headingTimeout: Double
    /// The default time that a request waits for the desired accuracy after the first fix.
    static let accuracyTimeout = Duration.seconds(10)
    private let accuracyTimeout: Duration
    /// The monitored regions of a manager with its own receiver; `nil` until they are first needed.
    let ownRegions = Mutex<RegionStore?>(nil)
    let ownAuthorization = Mutex(AuthorizationState())
    /// The subscriptions to changes of the authorization and the regions that all managers of the
    /// configured receiver share; empty until a delegate is assigned.
    private let following = Mutex<[ScopedSubscription]>([])
    /// The program's delegate, and the proxy that sends the calls as events.
    let delegateSlot = DelegateSlot<any CLLocationManagerDelegate>()
    // Safety: set once, while the manager is created.
    private nonisolated(unsafe) weak var owner: CLLocationManager?
    /// The last location that was delivered to a delegate that implements only the older method
    /// `locationManager(_:didUpdateTo:from:)`.
    private let delivered = Mutex<CLLocation?>(nil)

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
    var hasOwnSource: Bool { ownSource != nil }

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

    var existingManager: LocationManager? { state.withLock { $0.manager } }

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
        following.withLock { following in
            guard following.isEmpty else { return }
            following = [followSharedAuthorization(), followSharedRegions()]
        }
    }

    /// Runs `call` with the manager and its delegate, unless one of them has been released. Use it
    /// only on `queue`.
    func deliver(_ call: (CLLocationManager, any CLLocationManagerDelegate) -> Void) {
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
            hasOwnSource ? ownRegions.withLock { $0 }?.location : ConfiguredReceiver.lastLocation
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
    func deliver(_ locations: [Location]) {
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
        delivered.withLock { exchange(&$0, with: new) } ?? new
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
