// SPDX-License-Identifier: MIT
// refused: main actor-isolated conformance of 'Tracker' to 'LocationManagerDelegate' cannot be used
import GPSBridge

@MainActor
final class Tracker: @MainActor LocationManagerDelegate {}

/// Used where the conformance is not valid.
nonisolated func follow(_ manager: LocationManager, _ tracker: Tracker) {
    manager.delegate = tracker
}
