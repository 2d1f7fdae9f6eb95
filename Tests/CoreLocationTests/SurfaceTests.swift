// SPDX-License-Identifier: MIT
@preconcurrency import CoreLocation
import CoreLocation.CLGeocoder
import CoreLocation.CLHeading
import CoreLocation.CLLocation
import CoreLocation.CLLocationManagerDelegate
import CoreLocation.CLRegion
import CoreLocation.CLVisit
import GPSReceivers
import GPSTestSupport
import Testing

/// The parts of CoreLocation that public programs use, as they use them: this only has to compile.
@Suite(.timeLimit(.generous))
struct SurfaceTests {
    private let manager = CLLocationManager(source: .sentences([]))

    @Test func `CLLocationManager has its settings, methods and class methods`() {
        manager.delegate = nil
        manager.desiredAccuracy = kCLLocationAccuracyBestForNavigation
        manager.distanceFilter = kCLDistanceFilterNone
        manager.activityType = .maritime
        manager.allowsBackgroundLocationUpdates = true
        manager.showsBackgroundLocationIndicator = false
        manager.pausesLocationUpdatesAutomatically = false
        manager.headingFilter = kCLHeadingFilterNone
        manager.headingOrientation = CLDeviceOrientation.landscapeLeft
        manager.dismissHeadingCalibrationDisplay()
        manager.startMonitoringVisits()
        manager.stopMonitoringVisits()
        manager.stopMonitoringSignificantLocationChanges()
        manager.stopRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: UUID()))
        manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "key")
        manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "key") { _ in }
        let status: () -> CLAuthorizationStatus = CLLocationManager.authorizationStatus
        #expect(status().rawValue >= 0)
        _ = CLLocationManager.locationServicesEnabled()
        _ = CLLocationManager.headingAvailable()
        #expect(CLLocationManager.significantLocationChangeMonitoringAvailable())
        #expect(!CLLocationManager.isMonitoringAvailable(for: CLRegion.self))
        #expect(!CLLocationManager.isRangingAvailable())
        #expect(!CLLocationManager.deferredLocationUpdatesAvailable())
        #expect(manager.monitoredRegions.isEmpty && manager.rangedRegions.isEmpty)
        #expect(manager.maximumRegionMonitoringDistance < CLLocationDistanceMax)
    }

    @Test func `each initializer of a beacon condition is a function`() {
        let all = [UUID()].map(CLMonitor.BeaconIdentityCondition.init(uuid:))
        #expect(all.first?.major == nil && all.first?.minor == nil)
        let group = CLMonitor.BeaconIdentityCondition.init(uuid:major:)(UUID(), 1)
        #expect(group.major == 1 && group.minor == nil)
        let one = CLMonitor.BeaconIdentityCondition.init(uuid:major:minor:)(UUID(), 1, 2)
        #expect(one.major == 1 && one.minor == 2)
    }

    private final class Old: NSObject, CLLocationManagerDelegate {}

    @Test func `every delegate method can be called as an optional one`() {
        let old = Old()
        let delegate: (any CLLocationManagerDelegate)? = old
        let region = CLBeaconRegion(uuid: UUID(), identifier: "beacon")
        let constraint = CLBeaconIdentityConstraint(uuid: UUID(), major: 1, minor: 2)
        let error = CLError(.rangingFailure)
        delegate?.locationManager?(manager, didUpdateLocations: [CLLocation()])
        delegate?.locationManager?(manager, didUpdateTo: CLLocation(), from: CLLocation())
        delegate?.locationManager?(manager, didUpdateHeading: CLHeading())
        delegate?.locationManager?(manager, didFailWithError: error)
        delegate?.locationManager?(manager, didChangeAuthorization: .denied)
        delegate?.locationManager?(manager, didEnterRegion: region)
        delegate?.locationManager?(manager, didExitRegion: region)
        delegate?.locationManager?(manager, didDetermineState: .inside, for: region)
        delegate?.locationManager?(manager, didStartMonitoringFor: region)
        delegate?.locationManager?(manager, monitoringDidFailFor: nil, withError: error)
        delegate?.locationManager?(manager, didVisit: CLVisit())
        delegate?.locationManager?(manager, didRange: [CLBeacon()], satisfying: constraint)
        delegate?.locationManager?(manager, didFailRangingFor: constraint, error: error)
        delegate?.locationManager?(manager, didRangeBeacons: [], in: region)
        delegate?.locationManager?(manager, rangingBeaconsDidFailFor: region, withError: error)
        delegate?.locationManager?(manager, didFinishDeferredUpdatesWithError: nil)
        delegate?.locationManagerDidChangeAuthorization?(manager)
        delegate?.locationManagerDidPauseLocationUpdates?(manager)
        delegate?.locationManagerDidResumeLocationUpdates?(manager)
        #expect(delegate?.locationManagerShouldDisplayHeadingCalibration?(manager) == false)
        delegate?.locationManager(manager, didUpdateLocations: [])
        old.locationManagerDidChangeAuthorization(manager)
    }

    @Test func `values and unsupported types exist`() {
        let heading = CLHeading()
        #expect(heading.trueHeading == -1 && heading.headingAccuracy == -1)
        #expect(heading.x + heading.y + heading.z as CLHeadingComponentValue == 0)
        let visit = CLVisit()
        #expect(visit == visit && visit.arrivalDate < visit.departureDate)
        let beacon = CLBeacon()
        #expect(beacon == beacon && beacon.proximity == CLProximity.unknown && beacon.rssi == 0)
        let uuid = UUID()
        #expect(CLBeaconIdentityConstraint(uuid: uuid) == CLBeaconIdentityConstraint(uuid: uuid))
        #expect(CLBeaconRegion(uuid: uuid, major: 3, identifier: "").major == 3)
        let major: UInt16? = CLBeaconIdentityConstraint(uuid: uuid, major: 3).major
        #expect(major == 3)
        #expect(CLAuthorizationStatus.authorized == .authorizedAlways)
        #expect(CLLocationCoordinate2D(latitude: 1, longitude: 2).latitude == 1)
        let placemark = CLPlacemark()
        #expect(placemark.name == nil && placemark.region?.identifier == nil)
        #expect(placemark.isoCountryCode == nil && placemark.timeZone == nil)
    }

    @Test func `a switch over activities is exhaustive without maritime`() {
        func name(_ activity: CLActivityType) -> String {
            switch activity {
            case .other, .fitness: "person"
            case .automotiveNavigation, .otherNavigation: "vehicle"
            case .airborne: "aircraft"
            }
        }
        #expect(name(.maritime) == "vehicle")
        #expect(CLLocationUpdate.LiveConfiguration.maritime == .otherNavigation)
    }

    @Test func `a coordinate is two numbers in memory`() {
        func size<Value: BitwiseCopyable>(of type: Value.Type) -> Int { MemoryLayout<Value>.size }
        #expect(size(of: CLLocationCoordinate2D.self) == 2 * MemoryLayout<Double>.size)
    }

    @Test func `a geocoder finds nothing`() async {
        let handler: CLGeocodeCompletionHandler = { placemarks, error in
            #expect(placemarks == nil && (error as? CLError)?.code == .geocodeFoundNoResult)
        }
        CLGeocoder().reverseGeocodeLocation(CLLocation(), completionHandler: handler)
        await #expect(throws: CLError(.geocodeFoundNoResult)) {
            try await CLGeocoder().geocodeAddressString("Vienna")
        }
    }

    @Test func `sessions report one diagnostic without problems, and end`() async throws {
        let background = CLBackgroundActivitySession()
        let service = CLServiceSession(authorization: .whenInUse)
        var count = 0
        for try await _ in background.diagnostics { break }
        for try await diagnostic in background.diagnostics where !diagnostic.authorizationDenied {
            count += 1
            background.invalidate()
        }
        for try await diagnostic in service.diagnostics where !diagnostic.fullAccuracyDenied {
            count += 1
            service.invalidate()
        }
        #expect(count == 2)
    }

    @Test func `ranging and deferred updates fail`() async {
        let delegate = RangingDelegate()
        manager.delegate = delegate
        manager.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: UUID()))
        manager.allowDeferredLocationUpdates(untilTraveled: 100, timeout: CLTimeIntervalMax)
        #expect(await delegate.codes.first(2) == [.rangingUnavailable, .deferredFailed])
    }
}
