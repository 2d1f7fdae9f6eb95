// SPDX-License-Identifier: MIT
import Dispatch
import GPSBridge
import GPSReceivers
import Synchronization

/// Reports when a receiver enters or leaves a circle, and answers requests for the state of a
/// circle. The receiver is open while the monitor has a circle or a request.
final class CircleMonitor: LocationManagerDelegate, Sendable {
    /// A change of a circle's state. The first change is from `unknown`, unless another state was
    /// assumed when the circle was added.
    struct Change: Sendable {
        let identifier: String
        /// The circle whose state has changed. The identifier may already belong to another circle.
        let circle: Circle
        /// The `addition` that was passed to `add`. It distinguishes circles with the same
        /// identifier.
        let addition: Int
        /// The request that the change answers, from `unknown`; `nil` for a monitored circle.
        var request: Request?
        let old: CLRegionState
        let new: CLRegionState
        let date: Date
    }

    /// A request for the state of a circle. The monitored circle with the same identifier may be a
    /// different one.
    struct Request: Hashable, Sendable {
        let identifier: String
        let circle: Circle
        let requester: ObjectIdentifier
    }

    private struct Entry: Sendable {
        var circle: Circle
        var addition: Int
        var state = CLRegionState.unknown
        /// Whether the state was assumed when the circle was added, and no location has been
        /// received since.
        var isAssumed = false
    }

    private struct State: Sendable {
        /// The monitored circles by identifier.
        var entries: [String: Entry] = [:]
        /// The requests that no location has answered yet.
        var requests: Set<Request> = []

        var isIdle: Bool { entries.isEmpty && requests.isEmpty }
    }

    private let manager: LocationManager
    private let isOfConfiguredReceiver: Bool
    /// A lock that is held while updates start or stop, so that they run exactly while there are
    /// circles or requests.
    private let running = Mutex(())
    private let state = Mutex(State())
    private let onChange: @Sendable (Change) -> Void

    /// Creates a monitor without circles. It calls `onChange` on `queue`. If `source` is `nil`, it
    /// reads the configured receiver.
    init(
        source: (any DeviceSource)?, queue: DispatchQueue,
        onChange: @escaping @Sendable (Change) -> Void
    ) {
        self.onChange = onChange
        isOfConfiguredReceiver = source == nil
        manager = LocationManager(sources: [source ?? ConfiguredReceiver.source], queue: queue)
        manager.delegate = self
    }

    /// The last location received; `nil` if none has been received.
    var location: Location? { manager.location }

    /// Adds a circle, or replaces the circle with the same identifier. `addition` is a number that
    /// the caller chooses for this call. Each `Change` of the circle contains it, so the caller can
    /// ignore late changes of a replaced circle. `assumed` is the assumed state.
    func add(
        _ circle: Circle, identifier: String, addition: Int = 0,
        assuming assumed: CLRegionState = .unknown
    ) {
        state.withLock {
            $0.entries[identifier] = Entry(
                circle: circle, addition: addition, state: assumed, isAssumed: assumed != .unknown)
        }
        startOrStop()
    }

    /// Removes a circle. The receiver is closed if nothing else needs it.
    func remove(_ identifier: String) {
        state.withLock { $0.entries[identifier] = nil }
        startOrStop()
    }

    private func startOrStop() {
        running.withLock { _ in
            if state.withLock({ $0.isIdle }) {
                manager.stopUpdatingLocation()
            } else {
                manager.startUpdatingLocation()
            }
        }
    }

    /// Returns the state of the requested circle at the last location if it is monitored and its
    /// state is known. Otherwise, returns `unknown`, and the next location answers the request with
    /// a `Change`.
    func state(for request: Request) -> CLRegionState {
        let known = state.withLock { state -> CLRegionState in
            if let entry = state.entries[request.identifier], entry.circle == request.circle,
                entry.state != .unknown
            {
                return entry.state
            }
            state.requests.insert(request)
            return .unknown
        }
        if known == .unknown { startOrStop() }
        return known
    }

    /// Removes all requests of a requester. The receiver is closed if nothing else needs it.
    func removeRequests(of requester: ObjectIdentifier) {
        let isRemoved = state.withLock { state in
            let others = state.requests.filter { $0.requester != requester }
            return exchange(&state.requests, with: others).count != others.count
        }
        if isRemoved { startOrStop() }
    }

    /// A program that only monitors circles has no other manager that reports the authorization.
    func locationManagerDidChangeAuthorization(_ manager: LocationManager) {
        guard isOfConfiguredReceiver else { return }
        ManagerEngine.didChangeShared(manager.authorizationStatus)
    }

    /// A file is not waited for: without permission, it fails.
    func locationManager(_ manager: LocationManager, didFailWithError error: any Error) {
        guard isOfConfiguredReceiver, (error as? LocationError)?.code == .denied else { return }
        ManagerEngine.didDetermineShared(.denied)
    }

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        for location in locations {
            if isOfConfiguredReceiver { ConfiguredReceiver.didReceive(location) }
            let (changes, isIdle) = state.withLock { state in
                (Self.update(&state, location), state.isIdle)
            }
            for change in changes { onChange(change) }
            if isIdle { startOrStop() }
        }
    }

    /// Updates the states, and answers the requests. Returns the changes: first of the circles that
    /// the receiver has left, then of the others, each in the order of the identifiers.
    ///
    /// A program that clears its current region at each exit would otherwise lose the new region.
    private static func update(_ state: inout State, _ location: Location) -> [Change] {
        var changes: [Change] = []
        for (identifier, entry) in state.entries {
            // A margin protects only a state that was measured. An assumption near the edge would
            // otherwise never be corrected.
            let last: CLRegionState = entry.isAssumed ? .unknown : entry.state
            let new = entry.circle.state(of: location, after: last)
            guard new != .unknown else { continue }
            if entry.isAssumed { state.entries[identifier]?.isAssumed = false }
            guard new != entry.state else { continue }
            state.entries[identifier]?.state = new
            changes.append(
                Change(
                    identifier: identifier, circle: entry.circle, addition: entry.addition,
                    old: entry.state, new: new, date: location.timestamp))
        }
        for request in state.requests {
            let new = request.circle.state(of: location, after: .unknown)
            guard new != .unknown else { continue }
            state.requests.remove(request)
            changes.append(
                Change(
                    identifier: request.identifier, circle: request.circle, addition: 0,
                    request: request, old: .unknown, new: new, date: location.timestamp))
        }
        return changes.sorted {
            $0.new == $1.new ? $0.identifier < $1.identifier : $0.new == .outside
        }
    }
}
