// SPDX-License-Identifier: MIT
// refused: does not conform to the 'Sendable' protocol
import GPSBridge

/// The class is neither Sendable nor on the main actor, so its count would have data races.
final class Tracker: LocationManagerDelegate {
    var count = 0

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        count += locations.count
    }
}
