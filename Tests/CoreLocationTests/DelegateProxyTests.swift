// SPDX-License-Identifier: MIT
public import CoreLocation
public import Delegation
import GPSReceivers
import GPSTestSupport
import Testing

/// A proxy for managers, written with `Delegation`, as programs that used RxCoreLocation need it.
@Suite(.timeLimit(.generous))
struct DelegateProxyTests {
    @Test func `the delegate of a manager and a stream both receive every location`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        let stream = manager.events.didUpdateLocations.values()
        let statuses = manager.events.didChangeAuthorization.values()
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        for second in 0..<4 { await receiver.sendEpoch(second) }
        let delegated = await delegate.locations(2)
        var streamed: [CLLocation] = []
        for await locations in stream {
            streamed += locations
            if streamed.count >= 2 { break }
        }
        #expect(Array(streamed.prefix(2)) == delegated)
        for await status in statuses where status == .authorizedAlways { break }
        #expect(ManagerProxy.proxy(for: manager).forwardToDelegate() === delegate)
    }
}

extension CLLocationManager: HasDelegate, HasEvents {}

private final class ManagerProxy: NSObject, DelegateProxyType, CLLocationManagerDelegate {
    let base: DelegateProxy<CLLocationManager, any CLLocationManagerDelegate>
    let didUpdateLocations: MethodEvent<[CLLocation]>
    let didChangeAuthorization: MethodEvent<CLAuthorizationStatus>

    init(_ base: DelegateProxy<CLLocationManager, any CLLocationManagerDelegate>) {
        self.base = base
        didUpdateLocations = base.event("didUpdateLocations")
        didChangeAuthorization = base.event("didChangeAuthorization")
        super.init()
    }

    static func registerKnownImplementations() { register { ManagerProxy($0) } }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        relay(didUpdateLocations, locations) {
            $0.locationManager(manager, didUpdateLocations: locations)
        }
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        relay(didChangeAuthorization, manager.authorizationStatus) {
            $0.locationManagerDidChangeAuthorization(manager)
        }
    }
}

extension EventNamespace where Base == CLLocationManager {
    fileprivate var didUpdateLocations: MethodEvent<[CLLocation]> {
        ManagerProxy.proxy(for: base).didUpdateLocations
    }
    fileprivate var didChangeAuthorization: MethodEvent<CLAuthorizationStatus> {
        ManagerProxy.proxy(for: base).didChangeAuthorization
    }
}
