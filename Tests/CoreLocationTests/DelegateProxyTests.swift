// SPDX-License-Identifier: MIT
public import CoreLocation
public import Delegation
import GPSReceivers
import GPSTestSupport
import Testing

/// `manager.events`, as programs that used RxCoreLocation need it.
@Suite(.timeLimit(.generous))
struct DelegateProxyTests {
    @Test func `the delegate of a manager and each consumer receive every location`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        let observed = Witness<[CLLocation]>()
        manager.events.didUpdateLocations.observe { observed.note($0) }
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
        #expect(Array(observed.all.joined().prefix(2)) == delegated)
        for await status in statuses where status == .authorizedAlways { break }
        #expect(manager.delegate === delegate)
    }

    @Test func `one location is a promise, whose outcome is a location or an error`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        let result = manager.events.result.first().timeout(after: .seconds(600))
        manager.requestLocation()
        await receiver.waitForReader()
        for second in 0..<2 { await receiver.sendEpoch(second) }
        let locations = try await result.valueCancellingRequest().get()
        #expect(await delegate.locations(1) == locations)
    }

    @Test func `each method of the delegate has an event and reaches the delegate`() {
        let manager = CLLocationManager(source: .sentences([]))
        let delegate = CLLocationManagerProxy(DelegateProxy(host: manager))
        manager.delegate = delegate
        let proxy = CLLocationManagerProxy.proxy(for: manager)
        let (sent, relayed) = (Witness<String>(), Witness<String>())
        let names = proxy.recordEvents(in: sent)
        #expect(names == delegate.recordEvents(in: relayed) && names.count == 20)
        callEachMethod(of: proxy, manager)
        #expect(names.subtracting(sent.all).sorted() == [])
        #expect(names.subtracting(relayed.all).sorted() == [])
        #expect(proxy.forwardToDelegate() === delegate && manager.delegate === delegate)
    }

    @Test func `a delegate may be assigned and replaced at any time`() async throws {
        let receiver = try ScriptedReceiver()
        let manager = CLLocationManager(source: receiver.source)
        let (first, second) = (RecordingDelegate(), RecordingDelegate())
        let seen = Witness<[CLLocation]>()
        manager.delegate = first
        manager.events.didUpdateLocations.observe { seen.note($0) }
        manager.delegate = nil
        manager.delegate = second
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        let delegated = await second.locations(2)
        #expect(Array(seen.all.joined().prefix(2)) == delegated && first.locations.isEmpty)
        #expect(manager.delegate === second)
    }

    @Test func `calls that a mock makes to its delegate are sent as events, once`() {
        let manager = CLLocationManager(source: .sentences([]))
        let delegate = RecordingDelegate()
        let (seen, changes) = (Witness<[CLLocation]>(), Witness<CLAuthorizationStatus>())
        manager.events.didUpdateLocations.observe { seen.note($0) }
        manager.events.didChangeAuthorization.observe { changes.note($0) }
        manager.delegate = delegate
        let location = CLLocation(latitude: 1, longitude: 2)
        manager.delegate?.locationManager?(manager, didUpdateLocations: [location])
        #expect(delegate.locations == [location] && seen.all == [[location]])
        let count = changes.all.count
        manager.delegate?.locationManagerDidChangeAuthorization?(manager)
        #expect(changes.all.count > count)
        let other = RecordingDelegate()
        (other as any CLLocationManagerDelegate).locationManager?(
            manager, didUpdateLocations: [location])
        #expect(other.locations == [location] && seen.all.count == 1)
    }

    @Test(arguments: [false, true])
    func `a program's own proxy and the events receive each call once`(isFirst: Bool) async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        let (own, shipped) = (Witness<[CLLocation]>(), Witness<[CLLocation]>())
        func observeOwn() {
            TutorialProxy.proxy(for: manager).didUpdateLocations.observe { own.note($0) }
        }
        if isFirst { observeOwn() }
        manager.events.didUpdateLocations.observe { shipped.note($0) }
        if !isFirst { observeOwn() }
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        let delegated = await delegate.locations(2)
        #expect(Array(own.all.joined().prefix(2)) == delegated)
        #expect(Array(shipped.all.joined().prefix(2)) == delegated)
    }

    @Test func `events complete with the manager`() {
        var manager: CLLocationManager? = CLLocationManager(source: .sentences([]))
        let ends = Witness<Int>()
        manager?.events.didUpdateLocations.observe { _ in
        } onCompletion: {
            ends.note(1)
        }
        #expect(ends.all.isEmpty)
        manager = nil
        #expect(ends.all == [1])
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

// In a program: @retroactive HasDelegate.
extension CLLocationManager: HasDelegate {}

/// A proxy as tutorials write it, for one method.
private final class TutorialProxy: NSObject, DelegateProxyType, CLLocationManagerDelegate {
    let base: DelegateProxy<CLLocationManager, any CLLocationManagerDelegate>
    let didUpdateLocations: MethodEvent<[CLLocation]>

    init(_ base: DelegateProxy<CLLocationManager, any CLLocationManagerDelegate>) {
        self.base = base
        didUpdateLocations = base.event("didUpdateLocations")
        super.init()
    }

    static func registerKnownImplementations() { register { TutorialProxy($0) } }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations new: [CLLocation]) {
        relay(didUpdateLocations, new) { $0.locationManager(manager, didUpdateLocations: new) }
    }
}

extension CLLocationManagerProxy {
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
