// SPDX-License-Identifier: MIT
// Mocks of placemarks, visits and geocoders, and a manager that is its own delegate.
//
// Programs unwrap like this:
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
import CoreLocation
import Foundation
import Observation

extension CLAuthorizationStatus: @retroactive CustomStringConvertible {
    /// The lines to print.
    public var description: String { self == .authorizedAlways ? "always" : "other" }
}

extension CLRegion: @retroactive Identifiable {
    /// The region's name.
    public var id: String { identifier }
}

final class MockPlacemark: CLPlacemark {
    var mockCoordinate: CLLocationCoordinate2D!

    override var location: CLLocation? {
        CLLocation(latitude: mockCoordinate.latitude, longitude: mockCoordinate.longitude)
    }
}

final class MockVisit: CLVisit {
    private let mockCoordinate: CLLocationCoordinate2D

    init(coordinate: CLLocationCoordinate2D) {
        mockCoordinate = coordinate
        super.init()
    }

    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }

    override var coordinate: CLLocationCoordinate2D { mockCoordinate }
}

final class MutableHeading: CLHeading {
    private var degrees: CLLocationDirection = 0

    override var trueHeading: CLLocationDirection {
        get { degrees }
        set { degrees = newValue }
    }
}

final class MockGeocoder: CLGeocoder {
    override func geocodeAddressString(
        _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        let placemark = MockPlacemark()
        placemark.mockCoordinate = CLLocationCoordinate2DMake(48.2, 16.37)
        completionHandler([placemark], nil)
    }

    override func reverseGeocodeLocation(
        _ location: CLLocation, preferredLocale locale: Locale?
    ) async throws -> [CLPlacemark] {
        throw CLError(.network)
    }
}

final class OneShot: CLLocationManager, CLLocationManagerDelegate {
    private let done: (Result<CLLocation, Error>) -> Void

    init(_ done: @escaping (Result<CLLocation, Error>) -> Void) {
        self.done = done
        super.init()
        delegate = self
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        stopUpdatingLocation()
        done(.success(locations.last!))
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
        let (domain, code) = { ($0.domain, $0.code) }(error as NSError)
        if domain == kCLErrorDomain && code == CLError.locationUnknown.rawValue { return }
        done(.failure(error))
    }
}

@Observable
final class Store: NSObject, CLLocationManagerDelegate {
    var locationManager = CLLocationManager()
    var location: CLLocation?

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        location = locations.last
        locationManager.stopUpdatingLocation()
    }
}

precondition("\(CLAuthorizationStatus.authorizedAlways)" == "always")

let visit: CLVisit = MockVisit(coordinate: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.37))
print(visit.coordinate.latitude, visit.coordinate.longitude)

let mutable = MutableHeading()
mutable.trueHeading = 90
precondition((mutable as CLHeading).trueHeading == 90)

let geocoder: CLGeocoder = MockGeocoder()
let place = try await geocoder.geocodeAddressString("Vienna").first!.location!.coordinate
print(place.latitude, place.longitude)
do {
    _ = try await geocoder.reverseGeocodeLocation(CLLocation(), preferredLocale: .current)
    preconditionFailure("nothing was thrown")
} catch CLError.network {
}

let store = Store()
store.locationManager.delegate = store
store.locationManager.delegate?.locationManager!(
    store.locationManager, didUpdateLocations: [CLLocation(latitude: 48.2, longitude: 16.37)])
print(store.location!.coordinate.latitude, store.location!.coordinate.longitude)

final class Compass: NSObject, CLBodyIdentifiable {}
let compass = Compass()
store.locationManager.headingBody = compass
precondition(store.locationManager.headingBody === compass)

var oneShot: OneShot?
let location = try await withCheckedThrowingContinuation { continuation in
    oneShot = OneShot { continuation.resume(with: $0) }
    oneShot?.startUpdatingLocation()
}
print(location.coordinate.latitude, location.coordinate.longitude)
