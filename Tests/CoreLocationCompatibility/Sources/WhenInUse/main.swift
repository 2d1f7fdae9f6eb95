// SPDX-License-Identifier: MIT
// A program that starts only with the authorization "when in use" and with a compass.
import CoreLocation

class Follower: NSObject, CLLocationManagerDelegate {
    let manager = CLLocationManager()
    var count = 0

    func start() {
        manager.delegate = self
        manager.requestWhenInUseAuthorization()
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        let status = manager.authorizationStatus
        if status == .notDetermined { return }
        guard status == .authorizedWhenInUse, CLLocationManager.authorizationStatus() == status,
            CLLocationManager.headingAvailable()
        else { exit(2) }
        manager.startUpdatingHeading()
        manager.startUpdatingLocation()
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        guard let coordinate = locations.last?.coordinate else { return }
        print(coordinate.latitude, coordinate.longitude)
        count += 1
        if count == 3 { exit(0) }
    }
}

let follower = Follower()
follower.start()
RunLoop.main.run()
