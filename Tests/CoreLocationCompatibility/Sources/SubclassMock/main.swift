// SPDX-License-Identifier: MIT
// A mock for tests: a subclass that calls the delegate by itself.
import CoreLocation

protocol LocationFetcher: AnyObject {
    var delegate: CLLocationManagerDelegate? { get set }
    var authorizationStatus: CLAuthorizationStatus { get }
    var allowsBackgroundLocationUpdates: Bool { get set }
    func requestLocation()
    func requestWhenInUseAuthorization()
    func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String, completion: ((Error?) -> Void)?)
    func locationServicesEnabled() -> Bool
}

extension CLLocationManager: LocationFetcher {
    func locationServicesEnabled() -> Bool { CLLocationManager.locationServicesEnabled() }
}

final class MockLocationManager: CLLocationManager {
    private var mockStatus = CLAuthorizationStatus.notDetermined
    var mockLocation: CLLocation? = CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.37), altitude: 171,
        horizontalAccuracy: 5, verticalAccuracy: 8, timestamp: Date())

    override var authorizationStatus: CLAuthorizationStatus { mockStatus }
    override var location: CLLocation? { mockLocation }
    override var allowsBackgroundLocationUpdates: Bool {
        get { true }
        set {}
    }

    override func requestWhenInUseAuthorization() {
        mockStatus = .authorizedWhenInUse
        delegate?.locationManagerDidChangeAuthorization?(self)
    }

    override func requestLocation() {
        guard let location = location else {
            delegate?.locationManager?(self, didFailWithError: CLError(.locationUnknown))
            return
        }
        delegate?.locationManager?(self, didUpdateLocations: [location])
    }

    override func startMonitoring(for region: CLRegion) {
        delegate?.locationManager?(self, didStartMonitoringFor: region)
        delegate?.locationManager?(self, didEnterRegion: region)
    }
}

class Store: NSObject, CLLocationManagerDelegate {
    private let locationManager: CLLocationManager
    var events: [String] = []

    init(_ locationManager: CLLocationManager) {
        self.locationManager = locationManager
        super.init()
        self.locationManager.delegate = self
    }

    func refresh() {
        locationManager.requestLocation()
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        events.append("status \(manager.authorizationStatus.rawValue)")
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        for location in locations {
            print(location.coordinate.latitude, location.coordinate.longitude)
        }
        events.append("locations")
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
        switch error {
        case CLError.locationUnknown: events.append("unknown")
        case CLError.denied: events.append("denied")
        default: events.append("other")
        }
    }

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        events.append("entered \(region.identifier)")
    }
}

let mock = MockLocationManager()
let fetcher: LocationFetcher = mock
let store = Store(mock)
fetcher.requestWhenInUseAuthorization()
store.refresh()
mock.mockLocation = nil
store.refresh()
mock.startMonitoring(
    for: CLCircularRegion(
        center: CLLocationCoordinate2DMake(48.2, 16.37), radius: 100, identifier: "home"))
precondition(
    store.events == ["status 4", "locations", "unknown", "entered home"], "\(store.events)")
