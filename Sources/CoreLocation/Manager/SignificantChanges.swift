// SPDX-License-Identifier: MIT
import Dispatch
import GPSBridge
import GPSReceivers
import Synchronization

/// Locations 500 m apart, beside a manager's ordinary updates.
final class SignificantChanges: LocationManagerDelegate, Sendable {
    private static let distance = 500.0

    private let manager: LocationManager
    private weak let engine: ManagerEngine?

    init(_ engine: ManagerEngine) {
        self.engine = engine
        manager = LocationManager(sources: [engine.source], queue: engine.queue)
        manager.distanceFilter = Self.distance
        manager.delegate = self
    }

    func start() { manager.startUpdatingLocation() }
    func stop() { manager.stopUpdatingLocation() }

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        engine?.deliver(locations)
    }

    func locationManager(_ manager: LocationManager, didFailWithError error: LocationError) {
        engine?.locationManager(manager, didFailWithError: error)
    }
}
