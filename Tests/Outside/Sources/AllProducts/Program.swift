// SPDX-License-Identifier: MIT

// Every product beside the modules that programs use most: no name of one hides that of another.
import CoreLocation
import Delegation
import Dispatch
import Foundation
import GPSBridge
import GPSConfiguration
import GPSFormats
import NMEA
import Observation
import SimulatedDevices
import Synchronization
import UBX

/// A model whose macro names the module `Observation`.
@MainActor
@Observable
final class TripModel: NSObject, @MainActor CLLocationManagerDelegate {
    private(set) var last: CLLocation?
    private(set) var errors: [String] = []

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        last = locations.last
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        errors.append("\(error)")
    }
}

/// Names that two products had, or that other modules have.
struct Names: ~Copyable {
    var corner = Drive.RoutePoint(Coordinate(latitude: 48.2, longitude: 16.37))
    var version = NMEAVersion.v4_11
    var spoken = Personality.Version.v4_11
    var epoch: Epoch?
    var event: Event<Int>?
    var promise: Promise<Int>?
    var date = Date()
    var data = Data()
    var queue: DispatchQueue?
    let count = Atomic(0)
}

@main
struct Program {
    @MainActor
    static func main() async throws {
        let manager = CLLocationManager(source: .simulated)
        let model = TripModel()
        // Observers before and after the delegate; each receives everything.
        let first = manager.events.didUpdateLocations.values()
        manager.delegate = model
        let second = manager.events.didUpdateLocations.values()
        manager.startUpdatingLocation()
        for stream in [first, second] {
            for await locations in stream {
                precondition(!locations.isEmpty)
                break
            }
        }
        let change = Promise<Void>()
        withObservationTracking {
            _ = model.last
        } onChange: {
            change.fulfill(())
        }
        _ = try await change.value
        precondition(manager.delegate === model && model.errors.isEmpty)
        manager.stopUpdatingLocation()

        // CoreLocation's words, in GPSBridge.
        for await update in LocationUpdate.liveUpdates(source: .simulated) {
            precondition(!update.authorizationDenied && !update.locationUnavailable)
            if update.location != nil { break }
        }
        do {
            throw LocationError(.denied)
        } catch LocationError.denied {
            print("every product beside Observation")
        }
    }
}
