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
        let old: CLRegionState
        let new: CLRegionState
        let date: Date
    }

    private struct Entry: Sendable {
        var circle: Circle
        var state = CLRegionState.unknown
        /// Whether to remove the circle as soon as its state is known.
        var isTemporary = false
    }

    private let manager: LocationManager
    private let entries = Mutex<[String: Entry]>([:])
    private let onChange: @Sendable (Change) -> Void

    /// Creates a monitor without circles. It calls `onChange` on `queue`.
    init(
        source: any DeviceSource, queue: DispatchQueue,
        onChange: @escaping @Sendable (Change) -> Void
    ) {
        self.onChange = onChange
        manager = LocationManager(sources: [source], queue: queue)
        manager.delegate = self
    }

    /// Adds a circle, or replaces the circle with the same identifier. A temporary circle is
    /// removed as soon as its state is known, and does not replace another circle.
    func add(
        _ circle: Circle, identifier: String, assuming state: CLRegionState = .unknown,
        isTemporary: Bool = false
    ) {
        entries.withLock { entries in
            // The existing circle may be a permanent one, which must not become temporary.
            if isTemporary, entries[identifier] != nil { return }
            entries[identifier] = Entry(circle: circle, state: state, isTemporary: isTemporary)
        }
        manager.startUpdatingLocation()
    }

    /// Removes a circle. The receiver is closed if it was the last circle.
    func remove(_ identifier: String) {
        let isIdle = entries.withLock { entries in
            entries[identifier] = nil
            return entries.isEmpty
        }
        if isIdle { manager.stopUpdatingLocation() }
    }

    /// Returns whether the last location was inside a circle; `unknown` if no location has been
    /// received or the monitor has no circle with this identifier.
    func state(of identifier: String) -> CLRegionState {
        entries.withLock { $0[identifier]?.state ?? .unknown }
    }

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        for location in locations {
            let (changes, isIdle) = entries.withLock { entries in
                (Self.update(&entries, location), entries.isEmpty)
            }
            for change in changes { onChange(change) }
            if isIdle { manager.stopUpdatingLocation() }
        }
    }

    private static func update(
        _ entries: inout [String: Entry], _ location: Location
    ) -> [Change] {
        entries.compactMap { identifier, entry in
            let new = entry.circle.state(of: location, after: entry.state)
            guard new != entry.state else { return nil }
            entries[identifier]?.state = new
            if entry.isTemporary { entries[identifier] = nil }
            return Change(
                identifier: identifier, old: entry.state, new: new, date: location.timestamp)
        }
    }
}
