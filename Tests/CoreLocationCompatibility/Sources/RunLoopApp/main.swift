// SPDX-License-Identifier: MIT
// An application with a run loop and a class as its delegate, as since the first iPhone.
import CoreLocation

class AppDelegate: NSObject, CLLocationManagerDelegate {
    let locationManager = CLLocationManager()
    var timeout: Timer?
    var count = 0

    func applicationDidFinishLaunching() {
        timeout = Timer.scheduledTimer(withTimeInterval: 300, repeats: false) { _ in exit(1) }
        locationManager.delegate = self
        locationManager.desiredAccuracy = kCLLocationAccuracyBest
        locationManager.distanceFilter = kCLDistanceFilterNone
        locationManager.activityType = .otherNavigation
        locationManager.pausesLocationUpdatesAutomatically = false
        switch locationManager.authorizationStatus {
        case .notDetermined: locationManager.requestWhenInUseAuthorization()
        case .restricted, .denied: exit(2)
        case .authorizedAlways, .authorizedWhenInUse: locationManager.startUpdatingLocation()
        @unknown default: break
        }
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        switch manager.authorizationStatus {
        case .authorized, .authorizedWhenInUse: manager.startUpdatingLocation()
        case .denied: exit(2)
        default: break
        }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        dispatchPrecondition(condition: .onQueue(.main))
        guard let location = locations.last, location.horizontalAccuracy >= 0,
            -location.timestamp.timeIntervalSinceNow < 3600
        else { return }
        print(location.coordinate.latitude, location.coordinate.longitude, Int(location.speed))
        count += 1
        guard count == 3 else { return }
        timeout?.invalidate()
        manager.stopUpdatingLocation()
        exit(0)
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
        if let error = error as? CLError, error.code == .locationUnknown { return }
        print("failed: \(error.localizedDescription)")
        exit(1)
    }
}

let app = AppDelegate()
app.applicationDidFinishLaunching()
RunLoop.main.run()
