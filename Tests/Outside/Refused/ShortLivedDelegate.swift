// SPDX-License-Identifier: MIT
// refused: instance will be immediately deallocated because property 'delegate' is 'weak'
import GPSBridge

final class Tracker: LocationManagerDelegate, Sendable {}

let manager = LocationManager()
manager.delegate = Tracker()
