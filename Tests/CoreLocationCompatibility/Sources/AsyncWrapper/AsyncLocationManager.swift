// SPDX-License-Identifier: MIT
// A wrapper that turns a manager's delegate into async functions and streams.
@preconcurrency import CoreLocation
import CoreLocation.CLLocation
import CoreLocation.CLLocationManagerDelegate

enum LocationEvent: Sendable {
    case locations([CLLocation])
    case failed(Error)
    case authorization(CLAuthorizationStatus)
}

final class DelegateProxy: NSObject, CLLocationManagerDelegate {
    var send: ((LocationEvent) -> Void)?

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        send?(.authorization(manager.authorizationStatus))
    }

    func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
    ) {
        fatalError("as on Apple's systems, only the newer method is called where there are both")
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        send?(.locations(locations))
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
        send?(.failed(error))
    }
}

@MainActor
final class AsyncLocationManager {
    private let manager = CLLocationManager()
    private let proxy = DelegateProxy()
    private var continuations: [UUID: AsyncStream<LocationEvent>.Continuation] = [:]

    init() {
        manager.delegate = proxy
        proxy.send = { [unowned self] event in
            MainActor.assumeIsolated {
                for continuation in self.continuations.values { continuation.yield(event) }
            }
        }
    }

    private func events() -> AsyncStream<LocationEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: LocationEvent.self)
        let id = UUID()
        continuations[id] = continuation
        continuation.onTermination = { _ in
            Task { @MainActor in self.continuations[id] = nil }
        }
        return stream
    }

    func requestPermission() async -> CLAuthorizationStatus {
        let events = events()
        guard manager.authorizationStatus == .notDetermined else {
            return manager.authorizationStatus
        }
        manager.requestAlwaysAuthorization()
        for await case .authorization(let status) in events where status != .notDetermined {
            return status
        }
        return manager.authorizationStatus
    }

    func requestLocation() async throws -> CLLocation {
        let events = events()
        manager.requestLocation()
        for await event in events {
            switch event {
            case .locations(let locations): return locations[0]
            case .failed(let error): throw error
            case .authorization: continue
            }
        }
        throw CLError(.locationUnknown)
    }

    func startUpdatingLocation() -> AsyncStream<LocationEvent> {
        defer { manager.startUpdatingLocation() }
        return events()
    }

    func stopUpdatingLocation() {
        manager.stopUpdatingLocation()
        for continuation in continuations.values { continuation.finish() }
    }
}
