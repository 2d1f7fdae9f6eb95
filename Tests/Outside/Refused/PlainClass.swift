// SPDX-License-Identifier: MIT
// refused: does not conform to the 'Sendable' protocol
import GPSBridge

/// Neither Sendable nor on the main actor: its count would be lost between threads.
final class Tracker: LocationManagerDelegate {
    var count = 0

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        count += locations.count
    }
}
