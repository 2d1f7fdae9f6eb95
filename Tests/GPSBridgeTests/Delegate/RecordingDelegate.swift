// SPDX-License-Identifier: MIT
import GPSBridge
import GPSTestSupport

/// A delegate that records its calls.
final class RecordingDelegate: LocationManagerDelegate, Sendable {
    enum Call: Equatable {
        case locations([Location])
        case failure(LocationError.Code)
        case authorization(AuthorizationStatus)
        case paused
        case resumed
    }

    let calls = Witness<Call>()

    /// The locations among the calls.
    var locations: [Location] {
        calls.all.flatMap { call -> [Location] in
            if case .locations(let locations) = call { return locations }
            return []
        }
    }

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        calls.note(.locations(locations))
    }

    func locationManager(_ manager: LocationManager, didFailWithError error: any Error) {
        if let error = error as? LocationError { calls.note(.failure(error.code)) }
    }

    func locationManagerDidChangeAuthorization(_ manager: LocationManager) {
        calls.note(.authorization(manager.authorizationStatus))
    }

    func locationManagerDidPauseLocationUpdates(_ manager: LocationManager) {
        calls.note(.paused)
    }

    func locationManagerDidResumeLocationUpdates(_ manager: LocationManager) {
        calls.note(.resumed)
    }
}

extension RecordingDelegate {
    /// Creates the delegate of a manager.
    convenience init(of manager: LocationManager) {
        self.init()
        manager.delegate = self
    }

    /// Waits for a call with a location that satisfies a condition.
    func waitForLocation(where isIt: (Location) -> Bool) async {
        await calls.wait { call in
            guard case .locations(let locations) = call else { return false }
            return locations.contains(where: isIt)
        }
    }
}
