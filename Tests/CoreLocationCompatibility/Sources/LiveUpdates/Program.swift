// SPDX-License-Identifier: MIT
// Loops over live updates, and a delegate: both get the same locations.
import CoreLocation

final class Recorder: NSObject, CLLocationManagerDelegate {
    let manager = CLLocationManager()
    private let continuation: AsyncStream<CLLocation>.Continuation

    init(_ continuation: AsyncStream<CLLocation>.Continuation) {
        self.continuation = continuation
        super.init()
        manager.delegate = self
        manager.startUpdatingLocation()
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        for location in locations { continuation.yield(location) }
    }
}

func liveLocations(_ count: Int) async throws -> [CLLocation] {
    var locations: [CLLocation] = []
    for try await update in CLLocationUpdate.liveUpdates(.otherNavigation) {
        if let location = update.location { locations.append(location) }
        if update.authorizationDenied || locations.count == count { break }
    }
    return locations
}

@main
struct Program {
    static func main() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: CLLocation.self)
        let recorder = Recorder(continuation)
        // For five seconds, because a busy machine may start the second loop later.
        let count = 50
        async let first = liveLocations(count)
        async let second = liveLocations(count)
        let (one, two) = try await (first, second)
        let ends = [one[count - 1].timestamp, two[count - 1].timestamp]
        var delegated: [CLLocation] = []
        for await location in stream {
            delegated.append(location)
            if location.timestamp >= max(ends[0], ends[1]) { break }
        }
        recorder.manager.stopUpdatingLocation()
        // Consumers start at different times. Each gets every location after its start.
        let begin = max(delegated[0].timestamp, one[0].timestamp, two[0].timestamp)
        let end = min(ends[0], ends[1])
        let all = [delegated, one, two].map {
            $0.filter { $0.timestamp >= begin && $0.timestamp <= end }
        }
        precondition(all[0] == all[1] && all[1] == all[2] && all[0].count > 1, "\(all)")
        for location in all[0] {
            print(location.coordinate.latitude, location.coordinate.longitude)
        }
    }
}
