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

    @Test func `one location is a promise, whose outcome is a location or an error`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        let result = ManagerProxy.proxy(for: manager).result.first().timeout(after: .seconds(600))
        manager.requestLocation()
        await receiver.waitForReader()
        for second in 0..<2 { await receiver.sendEpoch(second) }
        let locations = try await result.valueCancellingRequest().get()
        #expect(await delegate.locations(1) == locations)
    }

    @Test func `each method of the delegate has an event and reaches the delegate`() {
        let manager = CLLocationManager(source: .sentences([]))
        let delegate = ManagerProxy(DelegateProxy(host: manager))
        manager.delegate = delegate
        let proxy = ManagerProxy.proxy(for: manager)
        let (sent, relayed) = (Witness<String>(), Witness<String>())
        let names = proxy.recordEvents(in: sent)
        #expect(names == delegate.recordEvents(in: relayed) && names.count == 20)
        callEachMethod(of: proxy, manager)
        #expect(names.subtracting(sent.all).sorted() == [])
        #expect(names.subtracting(relayed.all).sorted() == [])
        #expect(proxy.forwardToDelegate() === delegate)
    }

    private func callEachMethod(
        of delegate: any CLLocationManagerDelegate, _ manager: CLLocationManager
    ) {
        let region = CLBeaconRegion(uuid: UUID(), identifier: "beacon")
        let constraint = CLBeaconIdentityConstraint(uuid: UUID())
        let error = CLError(.network)
        delegate.locationManager(manager, didUpdateLocations: [CLLocation()])
        delegate.locationManager(manager, didUpdateTo: CLLocation(), from: CLLocation())
        delegate.locationManager(manager, didUpdateHeading: CLHeading())
        delegate.locationManager(manager, didFailWithError: error)
        delegate.locationManager(manager, didChangeAuthorization: .denied)
        delegate.locationManager(manager, didEnterRegion: region)
        delegate.locationManager(manager, didExitRegion: region)
        delegate.locationManager(manager, didDetermineState: .inside, for: region)
        delegate.locationManager(manager, didStartMonitoringFor: region)
        delegate.locationManager(manager, monitoringDidFailFor: nil, withError: error)
        delegate.locationManager(manager, didVisit: CLVisit())
        delegate.locationManager(manager, didRange: [CLBeacon()], satisfying: constraint)
        delegate.locationManager(manager, didFailRangingFor: constraint, error: error)
        delegate.locationManager(manager, didRangeBeacons: [], in: region)
        delegate.locationManager(manager, rangingBeaconsDidFailFor: region, withError: error)
        delegate.locationManager(manager, didFinishDeferredUpdatesWithError: nil)
        delegate.locationManagerDidPauseLocationUpdates(manager)
        delegate.locationManagerDidResumeLocationUpdates(manager)
        #expect(!delegate.locationManagerShouldDisplayHeadingCalibration(manager))
    }
}

extension CLLocationManager: HasEvents {}

extension EventNamespace where Base == CLLocationManager {
    fileprivate var didUpdateLocations: MethodEvent<[CLLocation]> {
        ManagerProxy.proxy(for: base).didUpdateLocations
    }
    fileprivate var didChangeAuthorization: MethodEvent<CLAuthorizationStatus> {
        ManagerProxy.proxy(for: base).didChangeAuthorization
    }
}

extension ManagerProxy {
    /// Records the name of each event in `witness` when it is sent. Returns all names.
    fileprivate func recordEvents(in witness: Witness<String>) -> Set<String> {
        func record(_ event: some EventSource, _ name: String) {
            event.observe { _ in witness.note(name) }
        }
        var names: Set<String> = []
        for case (let name?, let event as any EventSource) in Mirror(reflecting: self).children {
            record(event, name)
            names.insert(name)
        }
        return names
    }
}
