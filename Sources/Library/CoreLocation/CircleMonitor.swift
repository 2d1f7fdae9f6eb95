// SPDX-License-Identifier: MIT
import Delegation
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

extension CLMonitor {
    /// An event and the one that it replaces in the record of its condition.
    struct Transition: Sendable {
        let event: Event
        let previousEvent: Event
        /// The serial number of the condition.
        let addition: Int
    }

    /// The events that loops have received. A loop handles an event until it requests the next one
    /// or ends.
    final class HandledEvents: Sendable {
        private let transitions = Mutex<[ObjectIdentifier: Transition]>([:])

        /// Returns the event before the one that a loop handles; `nil` if no loop handles an event
        /// of the condition.
        func previousEvent(ofAddition addition: Int) -> Event? {
            transitions.withLock { transitions in
                transitions.values.first { $0.addition == addition }?.previousEvent
            }
        }

        fileprivate func set(_ transition: Transition?, of loop: AnyObject) {
            transitions.withLock { $0[ObjectIdentifier(loop)] = transition }
        }
    }

    /// The iterator of a loop over a monitor's events.
    struct EventIterator: AsyncIteratorProtocol {
        /// Represents the iterator and its copies, and is released with the last one.
        private final class Loop: Sendable {
            private let handledEvents: HandledEvents

            init(_ handledEvents: HandledEvents) { self.handledEvents = handledEvents }

            deinit { handledEvents.set(nil, of: self) }

            func handle(_ transition: Transition?) { handledEvents.set(transition, of: self) }
        }

        private var base: EventStream<Transition>.Iterator
        private let loop: Loop

        init(_ base: EventStream<Transition>.Iterator, handledEvents: HandledEvents) {
            self.base = base
            loop = Loop(handledEvents)
        }

        mutating func next() async -> Event? { await next(isolation: #isolation) }

        mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
            loop.handle(nil)
            let transition = await base.next(isolation: actor)
            loop.handle(transition)
            return transition?.event
        }
    }
}

/// The monitored regions of a manager with its own receiver, or of all other managers together.
///
/// Regions that are removed or replaced are released outside the lock, because the deinit of a
/// program's subclass may use a manager.
final class RegionStore: Sendable {
    /// The maximum number of monitored regions.
    private static let maximumCount = 20
    /// The maximum radius of a region in metres.
    static let maximumRadius = 1_000_000.0

    private struct State: Sendable {
        var circles: CircleMonitor?
        var monitored: [String: CLRegion] = [:]
        /// The regions whose state was requested but has not been reported yet.
        var asked: [CircleMonitor.Request: CLRegion] = [:]
    }

    private let state = Mutex(State())
    private let source: (any DeviceSource)?
    private let queue: DispatchQueue
    private let onChange: @Sendable (CircleMonitor.Change) -> Void

    /// Creates a store without regions. It calls `onChange` on `queue`. If `source` is `nil`, it
    /// reads the configured receiver.
    init(
        source: (any DeviceSource)?, queue: DispatchQueue,
        onChange: @escaping @Sendable (CircleMonitor.Change) -> Void
    ) {
        self.source = source
        self.queue = queue
        self.onChange = onChange
    }

    var monitored: Set<CLRegion> { Set(state.withLock { $0.monitored }.values) }

    /// Returns the monitored region with an identifier; `nil` if there is none.
    func region(_ identifier: String) -> CLRegion? { state.withLock { $0.monitored[identifier] } }

    /// The last location received to monitor circles; `nil` if none has been received.
    var location: Location? { state.withLock { $0.circles }?.location }

    /// The circle monitor. It is created when it is first needed.
    var circles: CircleMonitor {
        state.withLock { state in
            if let circles = state.circles { return circles }
            let circles = CircleMonitor(source: source, queue: queue, onChange: onChange)
            state.circles = circles
            return circles
        }
    }

    /// Adds a region, or replaces the region with the same identifier. Returns `false` if
    /// `maximumCount` other regions are monitored.
    func insert(_ region: CLRegion) -> Bool {
        let identifier = region.identifier
        let (isInserted, replaced) = state.withLock { state -> (Bool, CLRegion?) in
            guard
                state.monitored[identifier] != nil || state.monitored.count < Self.maximumCount
            else { return (false, nil) }
            return (true, state.monitored.updateValue(region, forKey: identifier))
        }
        withExtendedLifetime(replaced) {}
        return isInserted
    }

    /// Stops monitoring a region. If its state was requested but is not known yet, the request is
    /// still answered.
    func remove(_ identifier: String) {
        let (removed, circles) = state.withLock { state in
            (state.monitored.removeValue(forKey: identifier), state.circles)
        }
        withExtendedLifetime(removed) {}
        circles?.remove(identifier)
    }

    // MARK: Requests for states

    /// Stores a request for the state of a region.
    func store(_ request: CircleMonitor.Request, for region: CLRegion) {
        let replaced = state.withLock { $0.asked.updateValue(region, forKey: request) }
        withExtendedLifetime(replaced) {}
    }

    /// Removes a request. Returns its region, or `nil` if the request is not stored.
    func take(_ request: CircleMonitor.Request) -> CLRegion? {
        state.withLock { $0.asked.removeValue(forKey: request) }
    }

    /// Removes all requests of a requester, so that the receiver does not stay open for them.
    func removeRequests(of requester: ObjectIdentifier) {
        let (removed, circles) = state.withLock { state in
            let others = state.asked.filter { $0.key.requester != requester }
            return (exchange(&state.asked, with: others), state.circles)
        }
        withExtendedLifetime(removed) {}
        circles?.removeRequests(of: requester)
    }
}
