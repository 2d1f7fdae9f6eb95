// SPDX-License-Identifier: MIT
// View models on the main actor, with both ways in which such a class can be a delegate.
import CoreLocation

@MainActor
final class MapModel: NSObject, @preconcurrency CLLocationManagerDelegate {
    private(set) var locations: [CLLocation] = []
    private(set) var status: CLAuthorizationStatus?
    private let manager = CLLocationManager()
    private var onUpdate: CheckedContinuation<Void, Never>?

    override init() {
        super.init()
        manager.delegate = self
    }

    func start() { manager.startUpdatingLocation() }
    func stop() { manager.stopUpdatingLocation() }

    func waitForUpdate() async {
        await withCheckedContinuation { onUpdate = $0 }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        MainActor.preconditionIsolated()
        self.locations += locations
        onUpdate?.resume()
        onUpdate = nil
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        status = manager.authorizationStatus
    }
}

@MainActor
final class SpeedModel: NSObject, CLLocationManagerDelegate {
    private(set) var lastLocation: CLLocation?
    private let manager = CLLocationManager()

    override init() {
        super.init()
        manager.delegate = self
        manager.startUpdatingLocation()
    }

    nonisolated func locationManager(
        _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
    ) {
        guard let location = locations.last else { return }
        Task { @MainActor in self.lastLocation = location }
    }

    nonisolated func locationManager(
        _ manager: CLLocationManager, didFailWithError error: any Error
    ) {
        print("failed: \(error)")
    }
}

@main
struct Program {
    @MainActor
    static func main() async {
        let (map, speed) = (MapModel(), SpeedModel())
        map.start()
        for _ in 0..<3 { await map.waitForUpdate() }
        map.stop()
        for location in map.locations {
            print(location.coordinate.latitude, location.coordinate.longitude)
        }
        // The other manager calls its delegate independently.
        while speed.lastLocation == nil || map.status == nil { await Task.yield() }
        let last = speed.lastLocation
        print(last?.coordinate.latitude ?? 0, last?.coordinate.longitude ?? 0)
        guard map.status == .authorizedAlways else { fatalError("no authorization") }
    }
}
