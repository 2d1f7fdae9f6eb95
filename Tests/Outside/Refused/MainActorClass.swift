// SPDX-License-Identifier: MIT
// refused: crosses into main actor-isolated code
import GPSBridge

/// The class is on the main actor, but its conformance is not.
@MainActor
final class Tracker: LocationManagerDelegate {
    var count = 0

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        count += locations.count
    }
}
