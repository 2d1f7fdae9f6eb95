// SPDX-License-Identifier: MIT
// A command that prints the machine's position once, and ends.
import CoreLocation
import Foundation

final class Locator: NSObject, CLLocationManagerDelegate {
    private let manager = CLLocationManager()
    private let format: String

    init(format: String) {
        self.format = format
        super.init()
        guard CLLocationManager.locationServicesEnabled() else {
            fail("there are no location services")
        }
        manager.delegate = self
        manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
        manager.requestLocation()
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        guard let location = locations.first else { return }
        print(
            format.replacingOccurrences(of: "%latitude", with: "\(location.coordinate.latitude)")
                .replacingOccurrences(of: "%longitude", with: "\(location.coordinate.longitude)")
                .replacingOccurrences(of: "%accuracy", with: "\(Int(location.horizontalAccuracy))"))
        guard location.sourceInformation?.isSimulatedBySoftware == true else {
            fail("not simulated")
        }
        CLGeocoder().reverseGeocodeLocation(location) { placemarks, error in
            guard placemarks?.first == nil, (error as? CLError)?.code == .geocodeFoundNoResult
            else {
                exit(4)
            }
            exit(0)
        }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
        if error._code == 1 { fail("denied") }
        fail(error.localizedDescription)
    }
}

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(1)
}

let locator = Locator(format: "%latitude %longitude %accuracy")
withExtendedLifetime(locator) { dispatchMain() }
