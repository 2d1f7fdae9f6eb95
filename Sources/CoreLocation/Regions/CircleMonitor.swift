// SPDX-License-Identifier: MIT
import Dispatch
import GPSBridge
import GPSReceivers
import Synchronization

/// Compares a receiver's locations with circles. The receiver is open while there are circles.
final class CircleMonitor: LocationManagerDelegate, Sendable {
    /// A change of a circle's state, including the first known state.
    struct Change: Sendable {
        let identifier: String
        let old: CLRegionState
        let new: CLRegionState
        let date: Date
    }

    private struct Entry: Sendable {
        var circle: Circle
        var state = CLRegionState.unknown
        /// Whether the circle is removed as soon as its state is known.
        var isTemporary = false
    }

    private let manager: LocationManager
    private let entries = Mutex<[String: Entry]>([:])
    private let onChange: @Sendable (Change) -> Void

    /// Creates a monitor that calls `onChange` on `queue`.
    init(
        source: any DeviceSource, queue: DispatchQueue,
        onChange: @escaping @Sendable (Change) -> Void
    ) {
        self.onChange = onChange
        manager = LocationManager(sources: [source], queue: queue)
        manager.delegate = self
    }

    /// Starts to monitor a circle, or replaces the one with the same identifier.
    func add(
        _ circle: Circle, identifier: String, assuming state: CLRegionState = .unknown,
        isTemporary: Bool = false
    ) {
        entries.withLock { entries in
            // A permanently monitored region is not made temporary.
            if isTemporary, entries[identifier] != nil { return }
            entries[identifier] = Entry(circle: circle, state: state, isTemporary: isTemporary)
        }
        manager.startUpdatingLocation()
    }

    /// Stops monitoring a circle.
    func remove(_ identifier: String) {
        let isIdle = entries.withLock { entries in
            entries[identifier] = nil
            return entries.isEmpty
        }
        if isIdle { manager.stopUpdatingLocation() }
    }

    /// Returns whether the last location was inside a circle.
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
