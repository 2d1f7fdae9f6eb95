// SPDX-License-Identifier: MIT
// An application whose target is isolated to the main actor, as in new projects. It needs no
// annotations.
import CoreLocation

final class LocationProvider: NSObject, CLLocationManagerDelegate {
    private let manager = CLLocationManager()
    private var continuation: CheckedContinuation<CLLocation, Error>?

    override init() {
        super.init()
        manager.delegate = self
    }

    func currentLocation() async throws -> CLLocation {
        try await withCheckedThrowingContinuation { continuation in
            self.continuation = continuation
            manager.requestLocation()
        }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        continuation?.resume(returning: locations[0])
        continuation = nil
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
        let error = CLError(_nsError: error as NSError)
        continuation?.resume(throwing: error)
        continuation = nil
    }
}

// Subclasses do not belong to the main actor.
final class FixedManager: CLLocationManager {
    private(set) var starts = 0
    override var location: CLLocation? { CLLocation(latitude: 48.2, longitude: 16.37) }
    override func startUpdatingLocation() { starts += 1 }
}

final class FixedHeading: CLHeading, @unchecked Sendable {
    private let degrees: CLLocationDirection
    override var trueHeading: CLLocationDirection { degrees }

    init(degrees: CLLocationDirection) {
        self.degrees = degrees
        super.init()
    }

    required init?(coder: NSCoder) { nil }
}

let fixed = FixedManager()
fixed.startUpdatingLocation()
precondition(fixed.starts == 1 && fixed.location != nil)
precondition(FixedHeading(degrees: 90).trueHeading == 90)

let provider = LocationProvider()
for _ in 0..<2 {
    let location = try await provider.currentLocation()
    print(location.coordinate.latitude, location.coordinate.longitude)
}
let update = try await CLLocationUpdate.liveUpdates().first { $0.location != nil }
if let coordinate = update?.location?.coordinate {
    print(coordinate.latitude, coordinate.longitude)
}
