// SPDX-License-Identifier: MIT
import Dispatch
import GNSS
import GPSBridge
import GPSReceivers
import Synchronization

/// The implementation of `CLLocationManager`: passes the updates of a `LocationManager` to the
/// delegate.
final class ManagerEngine: LocationManagerDelegate, Sendable {
    /// The serial queue on which delegates are called.
    let queue: DispatchQueue

    /// The distance in metres of a significant change.
    private static let significantDistance = 500.0

    private let ownSource: (any DeviceSource)?
    private let state = Mutex(State())
    let headings = Mutex(HeadingState())
    let headingTimeout: Double
    let regions = Mutex(RegionState())
    let ownAuthorization = Mutex(AuthorizationState())
    private let callee = Mutex(Callee())

    private struct State: Sendable {
        var manager: LocationManager?
        /// A second manager for significant changes, in addition to the ordinary updates.
        var significantChanges: LocationManager?
        var request: LocationRequest?
        var requestCount = 0
        /// The last location delivered for a request, which must not be delivered again as an
        /// update.
        var requested: Location?
        /// The timestamp of the last update delivered while a request is pending.
        var updated: Date?
    }

    private struct LocationRequest: Sendable {
        let number: Int
        let task: Task<Void, Never>
    }

    // Safety: weak references that are accessed under the lock. The objects are used only on the
    // queue, where the program expects calls.
    private struct Callee: @unchecked Sendable {
        weak var manager: CLLocationManager?
        weak var delegate: (any CLLocationManagerDelegate)?
    }

    /// Creates an engine of a receiver, by default of the configured one.
    init(
        source: (any DeviceSource)?, queue: DispatchQueue,
        headingTimeout: Double = HeadingAvailability.timeout
    ) {
        ownSource = source
        self.queue = queue
        self.headingTimeout = headingTimeout
    }

    deinit {
        state.withLock { $0.request }?.task.cancel()
    }

    /// The configured receiver, unless a test has set one.
    var source: any DeviceSource { ownSource ?? ConfiguredReceiver.source }
    /// Whether its receiver differs from the configured one.
    var hasOwnSource: Bool { ownSource != nil }

    /// The manager, created at the first use, when the configuration is read.
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
        callee.withLock { $0.manager = manager }
    }

    var delegate: (any CLLocationManagerDelegate)? {
        get { callee.withLock { Transferred($0.delegate) }.value }
        set {
            let new = Transferred(newValue)
            callee.withLock { $0.delegate = new.value }
        }
    }

    /// Calls the delegate; call it on the queue.
    func deliver(_ call: (CLLocationManager, any CLLocationManagerDelegate) -> Void) {
        // Use the assigned delegate, since a subclass may override the property.
        let callee = callee.withLock { Transferred(($0.manager, $0.delegate)) }
        guard let manager = callee.value.0, let delegate = callee.value.1 else { return }
        call(manager, delegate)
    }

    /// Calls the delegate on its queue.
    func call(
        _ call: @escaping @Sendable (CLLocationManager, any CLLocationManagerDelegate) -> Void
    ) {
        queue.async { [weak self] in self?.deliver(call) }
    }

    // MARK: Locations

    var location: CLLocation? { existingManager?.location.map { CLLocation(receiver: $0) } }

    func stopUpdatingLocation() {
        let request = state.withLock { state in
            defer { state.request = nil }
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
            let task = Task { [weak self] in
                do {
                    // The task does not retain the engine, which may be released before the task
                    // ends.
                    let location = try await manager.requestLocation()
                    self?.didReceive(.success(location), for: number)
                } catch let error as LocationError {
                    self?.didReceive(.failure(error), for: number)
                } catch {
                    // Cancelled by `stopUpdatingLocation()`: nothing to report.
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
            // An update with the same or a newer location has already been delivered.
            if let updated = state.updated, updated >= location.timestamp { return false }
            state.requested = location
            return true
        }
        guard isPending else { return }
        if case .failure(let error) = outcome, error.code == .denied { didDetermine(.denied) }
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
        let isNew = state.withLock { state in
            guard core !== state.significantChanges else { return true }
            // In the common case without a request, the location is not copied.
            guard state.request != nil || state.requested != nil else { return true }
            if state.request != nil { state.updated = locations.last?.timestamp }
            defer { state.requested = nil }
            return state.requested != locations.last
        }
        if isNew { deliver(locations) }
    }

    /// Delivers locations to the delegate; call it on the queue.
    func deliver(_ locations: [Location]) {
        if let last = locations.indices.last, locations[last].fix.attitude.hasHeading {
            HeadingAvailability.didReceiveHeading()
        }
        deliver {
            $1.locationManager($0, didUpdateLocations: locations.map { CLLocation(receiver: $0) })
        }
    }

    func locationManager(_ core: LocationManager, didFailWithError error: LocationError) {
        if error.code == .denied { didDetermine(.denied) }
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
