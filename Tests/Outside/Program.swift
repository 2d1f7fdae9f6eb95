// SPDX-License-Identifier: MIT
import GPSBridge
import SimulatedDevices
import Synchronization

/// A model on the main actor can be the delegate. It needs neither a queue nor a lock.
@MainActor
final class TripModel: @MainActor LocationManagerDelegate {
    private(set) var locations: [Location] = []
    private(set) var errors: [LocationError] = []
    private let manager: LocationManager

    init(_ manager: LocationManager) {
        self.manager = manager
        manager.delegate = self
    }

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        MainActor.preconditionIsolated()
        self.locations += locations
    }

    func locationManager(_ manager: LocationManager, didFailWithError error: any Error) {
        MainActor.preconditionIsolated()
        if let error = error as? LocationError { errors.append(error) }
    }

    /// The loop of README.md, on the main actor.
    func follow(_ count: Int) async {
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()
        for await locations in stream.prefix(count) {
            MainActor.preconditionIsolated()
            print(locations[0].coordinate, locations[0].horizontalAccuracy)
        }
    }
}

/// Any other delegate is Sendable, and called on the manager's queue.
nonisolated final class Odometer: LocationManagerDelegate, Sendable {
    private let state = Mutex<(last: Location?, metres: Double)>((nil, 0))

    var metres: Double { state.withLock { $0.metres } }

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        for location in locations {
            state.withLock { state in
                state.metres += state.last.map { location.distance(from: $0) } ?? 0
                state.last = location
            }
        }
    }
}

@main
struct Program {
    @MainActor
    static func main() async throws {
        var receiver = SimulatedReceiver.Configuration()
        receiver.rate = 50
        let manager = LocationManager(source: .simulated(receiver))
        let (model, odometer) = (TripModel(manager), Odometer())
        manager.proxy.addDelegate(odometer)
        await model.follow(5)

        // Operators of the standard library; swift-async-algorithms has more of them.
        let speeds = manager.didUpdateLocations
            .map { $0[0] }
            .filter { $0.horizontalAccuracy < 50 }
            .compactMap { $0.fix.speed }
        for await speed in speeds.prefix(3) { print(speed) }

        let subscription = manager.events.didUpdateLocations.subscribe { _ in }
        let here = try await manager.requestLocation()
        subscription.dispose()
        // The delegates are called later than the streams, and not any more after a stop.
        while model.locations.isEmpty || odometer.metres == 0 { await Task.yield() }
        manager.stopUpdatingLocation()
        precondition(model.errors.isEmpty)
        precondition(here.sourceInformation.isSimulatedBySoftware)

        // A recording delivers all locations, and then ends.
        let track = here.coordinate.latitude > 0 ? ["$GPRMC,"] : []
        let recording = LocationManager(source: .sentences(track))
        let stream = recording.didUpdateLocations
        recording.startUpdatingLocation()
        for await _ in stream {}
        print(here)
    }
}
