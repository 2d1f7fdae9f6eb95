// SPDX-License-Identifier: MIT
import Dispatch
import GPSBridge
import GPSReceivers
import Synchronization

/// Reports when a receiver enters or leaves a circle. The receiver is open while the monitor has a
/// circle.
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
        let old: CLRegionState
        let new: CLRegionState
        let date: Date
    }

    private struct Entry: Sendable {
        var circle: Circle
        var addition: Int
        var state = CLRegionState.unknown
        /// Whether the state was assumed when the circle was added, and no location has been
        /// received since.
        var isAssumed = false
        /// Whether to remove the circle as soon as its state is known.
        var isTemporary = false
    }

    private let manager: LocationManager
    private let isOfConfiguredReceiver: Bool
    /// A lock that is held while updates start or stop, so that they run exactly while there are
    /// entries.
    private let running = Mutex(())
    private let entries = Mutex<[String: Entry]>([:])
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
    /// ignore late changes of a replaced circle. `state` is the assumed state. A temporary circle
    /// is removed as soon as its state is known, and does not replace a permanent circle.
    func add(
        _ circle: Circle, identifier: String, addition: Int = 0,
        assuming state: CLRegionState = .unknown, isTemporary: Bool = false
    ) {
        entries.withLock { entries in
            if isTemporary, entries[identifier]?.isTemporary == false { return }
            entries[identifier] = Entry(
                circle: circle, addition: addition, state: state, isAssumed: state != .unknown,
                isTemporary: isTemporary)
        }
        startOrStop()
    }

    /// Removes a circle. The receiver is closed if it was the last circle.
    func remove(_ identifier: String) {
        entries.withLock { $0[identifier] = nil }
        startOrStop()
    }

    /// Removes a circle as soon as its state is known.
    func removeWhenKnown(_ identifier: String) {
        entries.withLock { entries in
            if entries[identifier]?.state == .unknown {
                entries[identifier]?.isTemporary = true
            } else {
                // The state is known, but a change to it may not have been delivered yet.
                entries[identifier] = nil
            }
        }
        startOrStop()
    }

    private func startOrStop() {
        running.withLock { _ in
            if entries.withLock({ $0.isEmpty }) {
                manager.stopUpdatingLocation()
            } else {
                manager.startUpdatingLocation()
            }
        }
    }

    /// Returns the state of a circle at the last location; `unknown` if no location has been
    /// received or the monitor has no circle with this identifier.
    func state(of identifier: String) -> CLRegionState {
        entries.withLock { $0[identifier]?.state ?? .unknown }
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
            let (changes, isIdle) = entries.withLock { entries in
                (Self.update(&entries, location), entries.isEmpty)
            }
            for change in changes { onChange(change) }
            if isIdle { startOrStop() }
        }
    }

    /// Updates the states. Returns the changes: first of the circles that the receiver has left, then
    /// of the others, each in the order of the identifiers.
    ///
    /// A program that clears its current region at each exit would otherwise lose the new region.
    private static func update(
        _ entries: inout [String: Entry], _ location: Location
    ) -> [Change] {
        let changes: [Change] = entries.compactMap { identifier, entry in
            // A margin protects only a state that was measured. An assumption near the edge would
            // otherwise never be corrected.
            let last: CLRegionState = entry.isAssumed ? .unknown : entry.state
            let new = entry.circle.state(of: location, after: last)
            guard new != .unknown else { return nil }
            if entry.isAssumed { entries[identifier]?.isAssumed = false }
            guard new != entry.state else { return nil }
            entries[identifier]?.state = new
            if entry.isTemporary { entries[identifier] = nil }
            return Change(
                identifier: identifier, circle: entry.circle, addition: entry.addition,
                old: entry.state, new: new, date: location.timestamp)
        }
        return changes.sorted {
            $0.new == $1.new ? $0.identifier < $1.identifier : $0.new == .outside
        }
    }
}
