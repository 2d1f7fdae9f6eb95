// SPDX-License-Identifier: MIT An application whose target is isolated to the main actor, as in new
// projects. It needs no annotations.
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

let provider = LocationProvider()
for _ in 0..<2 {
    let location = try await provider.currentLocation()
    print(location.coordinate.latitude, location.coordinate.longitude)
}
let update = try await CLLocationUpdate.liveUpdates().first { $0.location != nil }
if let coordinate = update?.location?.coordinate {
    print(coordinate.latitude, coordinate.longitude)
}
