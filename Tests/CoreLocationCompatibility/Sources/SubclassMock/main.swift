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

/// A manager with an internal delegate, which calls the program's delegate.
final class FilteringLocationManager: CLLocationManager {
    private let relay = Relay()

    override var delegate: CLLocationManagerDelegate? {
        get { relay.target }
        set {
            relay.target = newValue
            super.delegate = newValue == nil ? nil : relay
        }
    }

    override class func authorizationStatus() -> CLAuthorizationStatus { .authorizedAlways }
}

final class Relay: NSObject, CLLocationManagerDelegate {
    weak var target: CLLocationManagerDelegate?

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        let accurate = locations.filter {
            $0.horizontalAccuracy <= 50 && $0.horizontalAccuracy >= 0
        }
        if !accurate.isEmpty { target?.locationManager?(manager, didUpdateLocations: accurate) }
    }
}

final class Last: NSObject, CLLocationManagerDelegate {
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        print(locations[0].coordinate.latitude, locations[0].coordinate.longitude)
        exit(0)
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        fatalError("the relay does not pass this on")
    }
}

let filtering = FilteringLocationManager()
let last = Last()
filtering.delegate = last
precondition(filtering.delegate === last)
precondition(FilteringLocationManager.authorizationStatus() == .authorizedAlways)
filtering.startUpdatingLocation()
RunLoop.main.run(until: Date(timeIntervalSinceNow: 300))
exit(1)
