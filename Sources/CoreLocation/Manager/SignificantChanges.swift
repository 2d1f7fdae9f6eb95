// SPDX-License-Identifier: MIT
import Dispatch
import GPSBridge
import GPSReceivers
import Synchronization

/// Locations 500 m apart, beside a manager's ordinary updates.
final class SignificantChanges: LocationManagerDelegate, Sendable {
    private static let distance = 500.0

    private struct Owner: Sendable {
        weak var engine: ManagerEngine?
    }

    private let manager: LocationManager
    private let owner = Mutex(Owner())

    init(source: any DeviceSource, queue: DispatchQueue) {
        manager = LocationManager(sources: [source], queue: queue)
        manager.distanceFilter = Self.distance
        manager.delegate = self
    }

    func attach(to engine: ManagerEngine) {
        owner.withLock { $0.engine = engine }
    }

    func start() { manager.startUpdatingLocation() }
    func stop() { manager.stopUpdatingLocation() }

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        owner.withLock { $0.engine }?.deliver(locations)
    }

    func locationManager(_ manager: LocationManager, didFailWithError error: LocationError) {
        owner.withLock { $0.engine }?.locationManager(manager, didFailWithError: error)
    }
}
