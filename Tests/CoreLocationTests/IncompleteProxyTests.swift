// SPDX-License-Identifier: MIT
import CoreLocation
import Delegation
import GPSReceivers
import GPSTestSupport
import Testing

/// A proxy as tutorials for RxSwift write it, which lists only the methods that the program observes.
@Suite(.timeLimit(.generous))
struct IncompleteProxyTests {
    let manager = CLLocationManager(source: .sentences([]))
    let delegate = RecordingDelegate()
    let messages = Witness<String>()

    private final class LocationsProxy: NSObject, DelegateRelay, CLLocationManagerDelegate {
        let base: DelegateProxy<CLLocationManager, any CLLocationManagerDelegate>
        let didUpdateLocations: MethodEvent<[CLLocation]>
        let didChangeAuthorization: MethodEvent<CLAuthorizationStatus>

        init(_ base: DelegateProxy<CLLocationManager, any CLLocationManagerDelegate>) {
            self.base = base
            didUpdateLocations = base.event("didUpdateLocations")
            didChangeAuthorization = base.event("didChangeAuthorization")
            super.init()
        }

        func locationManager(
            _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
        ) {
            relay(didUpdateLocations, locations) {
                $0.locationManager(manager, didUpdateLocations: locations)
            }
        }

        func locationManager(
            _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
        ) {
            relay(didChangeAuthorization, status) {
                $0.locationManager(manager, didChangeAuthorization: status)
            }
        }
    }

    private func calls(_ body: (any CLLocationManagerDelegate) -> Void) -> LocationsProxy {
        let proxy = LocationsProxy(DelegateProxy(host: manager))
        proxy.setForwardToDelegate(delegate)
        MissingMethod.$report.withValue({ [messages] in messages.note($0) }) { body(proxy) }
        return proxy
    }

    @Test func `the delegate still receives errors, regions, headings and authorization`() {
        let region = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 3, identifier: "r")
        let statuses = Witness<CLAuthorizationStatus>()
        let proxy = calls { proxy in
            (proxy as? LocationsProxy)?.didChangeAuthorization.observe { statuses.note($0) }
            proxy.locationManager(manager, didFailWithError: CLError(.network))
            proxy.locationManager(manager, didFailWithError: CLError(.denied))
            proxy.locationManager(manager, didEnterRegion: region)
            proxy.locationManager(manager, didExitRegion: region)
            proxy.locationManager(manager, didDetermineState: .inside, for: region)
            proxy.locationManager(manager, didStartMonitoringFor: region)
            proxy.locationManager(
                manager, monitoringDidFailFor: region, withError: CLError(.regionMonitoringFailure))
            proxy.locationManagerDidChangeAuthorization(manager)
            proxy.locationManager(manager, didVisit: CLVisit())
        }
        let status = manager.authorizationStatus
        #expect(
            delegate.calls.all == [
                .failure(CLError(.network)), .failure(CLError(.denied)), .entered("r"),
                .exited("r"), .state(.inside, "r"), .started("r"),
                .monitoringFailed("r", .regionMonitoringFailure), .authorization(status),
            ])
        // The proxy has the older method, which the default implementation calls.
        #expect(statuses.all == [status])
        withExtendedLifetime(proxy) {}
        // One message for each method that both the delegate implements and the proxy lacks.
        #expect(messages.all.count == 7)
        #expect(
            messages.all.first?.contains(
                "LocationsProxy lacks locationManager(_:didFailWithError:), which RecordingDelegate implements"
            ) == true)
        #expect(!messages.all.contains { $0.contains("didVisit") })
    }
}
