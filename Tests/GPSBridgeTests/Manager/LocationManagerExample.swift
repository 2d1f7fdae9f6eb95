// SPDX-License-Identifier: MIT
import GPSBridge
import GPSTestSupport
import SimulatedDevices
import Testing

/// All ways to use the location manager. Replace `.simulated` by `.any`, or omit the
/// source, to use the receiver that is plugged in.
@Suite(.timeLimit(.generous))
struct LocationManagerExample {
    /// A delegate implements the methods that it needs.
    private final class Dashboard: LocationManagerDelegate, Sendable {
        let lines = Witness<String>()

        func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
            for location in locations { lines.note("\(Int(location.speed.rounded())) m/s") }
        }
    }

    @Test func `a delegate, a subscription, a stream and a request work together`() async throws {
        let manager = LocationManager(source: .simulated)

        // A delegate, as in CoreLocation, at any time …
        let dashboard = Dashboard()
        manager.delegate = dashboard

        // … a closure, until its subscription is disposed …
        let accuracies = Witness<Double>()
        let subscription = manager.events.didUpdateLocations.subscribe { locations in
            accuracies.note(locations[0].horizontalAccuracy)
        }

        // … a stream, which is subscribed from here on …
        let locations = manager.didUpdateLocations
        manager.startUpdatingLocation()

        // … and a single location, with a timeout.
        let here = try await manager.requestLocation(timeout: .seconds(600)) {
            $0.horizontalAccuracy < 25
        }

        var path: [Coordinate] = []
        for await new in locations {
            path += new.map(\.coordinate)
            if path.count == 2 { break }
        }
        #expect(here.horizontalAccuracy < 25)
        #expect(path.count == 2)
        #expect(await dashboard.lines.first(2) == ["10 m/s", "10 m/s"])
        #expect(await accuracies.first(2).allSatisfy { $0 < 25 })

        // … until updates are stopped: after this no call begins.
        subscription.dispose()
        manager.stopUpdatingLocation()
    }
}
