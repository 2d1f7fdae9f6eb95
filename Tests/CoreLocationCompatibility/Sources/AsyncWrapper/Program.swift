// SPDX-License-Identifier: MIT
import CoreLocation

@main
struct Program {
    @MainActor
    static func main() async {
        let manager = AsyncLocationManager()
        do {
            guard await manager.requestPermission() == .authorizedAlways else { fatalError() }
            let here = try await manager.requestLocation()
            print(here.coordinate.latitude, here.coordinate.longitude)
            var count = 0
            for await case .locations(let locations) in manager.startUpdatingLocation() {
                for location in locations {
                    print(location.coordinate.latitude, location.coordinate.longitude)
                }
                count += 1
                if count == 3 { manager.stopUpdatingLocation() }
            }
        } catch CLError.denied {
            fatalError("denied")
        } catch let error as CLError {
            fatalError("\(error.code)")
        } catch {
            fatalError("\(error)")
        }
    }
}
