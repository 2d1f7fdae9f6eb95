// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// A map SDK's location manager: a third-party singleton with functions that add and remove
/// delegates, and without a `delegate` property.
final class MapLocationManager: Sendable {
    static let shared = MapLocationManager()

    private let delegates = MulticastDelegate<any MapLocationManagerDelegate>()

    func add(delegate: any MapLocationManagerDelegate) { delegates.add(delegate) }
    func remove(delegate: any MapLocationManagerDelegate) { delegates.remove(delegate) }

    /// Called by the SDK when it has a position.
    func report(latitude: Double, longitude: Double) {
        delegates.forEach { $0.locationManager(self, didUpdate: (latitude, longitude)) }
    }
    func fail(_ reason: String?) {
        delegates.forEach { $0.locationManager(self, didFail: reason) }
    }
}

protocol MapLocationManagerDelegate: AnyObject {
    func locationManager(_ manager: MapLocationManager, didUpdate position: (Double, Double))
    func locationManager(_ manager: MapLocationManager, didFail reason: String?)
}

// Step 1: declare how a delegate is added and removed.
extension MapLocationManager: HasMulticastDelegate {
    func addDelegate(_ delegate: any MapLocationManagerDelegate) { add(delegate: delegate) }
    func removeDelegate(_ delegate: any MapLocationManagerDelegate) { remove(delegate: delegate) }
}

// Step 2: declare an event for each method, and relay each call.
final class MapLocationProxy: DelegateProxyType, MapLocationManagerDelegate {
    let base: DelegateProxy<MapLocationManager, any MapLocationManagerDelegate>
    let didUpdate: MethodEvent<(Double, Double)>
    let didFail: MethodEvent<String?>

    init(_ base: DelegateProxy<MapLocationManager, any MapLocationManagerDelegate>) {
        self.base = base
        didUpdate = base.event("didUpdate")
        didFail = base.event("didFail")
    }

    static func registerKnownImplementations() { register { MapLocationProxy($0) } }

    func locationManager(_ manager: MapLocationManager, didUpdate position: (Double, Double)) {
        relay(didUpdate, position) { $0.locationManager(manager, didUpdate: position) }
    }
    func locationManager(_ manager: MapLocationManager, didFail reason: String?) {
        relay(didFail, reason) { $0.locationManager(manager, didFail: reason) }
    }
}

// Step 3: name the events.
extension MapLocationManager: HasEvents {}

extension EventNamespace where Base == MapLocationManager {
    var didUpdate: MethodEvent<(Double, Double)> { MapLocationProxy.proxy(for: base).didUpdate }
    var didFail: MethodEvent<String?> { MapLocationProxy.proxy(for: base).didFail }
}

@Suite(.timeLimit(.generous), .serialized)
struct MapLocationSingletonExample {
    @Test func `an app's own delegate and two streams all receive the singleton's calls`() async {
        let manager = MapLocationManager.shared
        let screen = Screen()
        manager.add(delegate: screen)

        let forTheLogger = manager.events.didUpdate.values()
        let forTheServer = manager.events.didUpdate.values(buffering: .newest(1))
        let failures = manager.events.didFail.values()

        manager.report(latitude: 37.5, longitude: 127.0)
        manager.report(latitude: 37.6, longitude: 127.1)
        manager.fail(nil)

        #expect(screen.latitudes == [37.5, 37.6])
        #expect(await collect(2, of: forTheLogger).map(\.0) == [37.5, 37.6])
        #expect(await collect(1, of: forTheServer).map(\.0) == [37.6])
        #expect(forTheServer.droppedCount == 1)
        #expect(await collect(1, of: failures) == [nil])
    }

    @Test func `the next good position is a promise`() async throws {
        let manager = MapLocationManager.shared
        let north = manager.events.didUpdate.sentMessage.first { latitude, _ in latitude > 60 }
        manager.report(latitude: 37.5, longitude: 127.0)
        manager.report(latitude: 61.5, longitude: 24.0)
        #expect(try await north.value.1 == 24.0)
    }

    /// An ordinary delegate in the app.
    final class Screen: MapLocationManagerDelegate {
        var latitudes: [Double] = []
        func locationManager(_ manager: MapLocationManager, didUpdate position: (Double, Double)) {
            latitudes.append(position.0)
        }
        func locationManager(_ manager: MapLocationManager, didFail reason: String?) {}
    }
}
