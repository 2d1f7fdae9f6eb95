// SPDX-License-Identifier: MIT
import Delegation
import GPSBridge
import Synchronization

/// Measures the time from the read that completed an epoch to the user's code. Each kind of
/// delivery has its own receiver. All run at the same time, so that the conditions are the same.
struct Latency {
    let rate: Int
    let seconds: Int

    private final class Ages: LocationManagerDelegate, Sendable {
        private let ages = Mutex<[Double]>([])

        func add(_ locations: [Location]) {
            guard let age = locations.last?.age else { return }
            ages.withLock { $0.append(age / .microseconds(1)) }
        }

        func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
            add(locations)
        }

        func report(_ way: String) {
            let sorted = ages.withLock { $0.sorted() }
            guard let last = sorted.last else { return print("\(way): nothing came") }
            for (name, value) in [
                ("median", sorted[sorted.count / 2]), ("p99", sorted[sorted.count * 99 / 100]),
                ("max", last),
            ] {
                let text = String(Int(value.rounded()))
                let what = "from the read to \(way), \(name)"
                print(
                    what + String(repeating: " ", count: max(1, 56 - what.count - text.count))
                        + text + " µs")
            }
        }
    }

    func run() async throws {
        let sender = Child(["send", "4", "\(rate)", "\(rate * seconds)"])
        let sources = sender.paths().map { SerialSource($0) }
        guard sources.count == 4 else { return }
        let ages = (0..<4).map { _ in Ages() }
        let managers = [
            LocationManager(source: sources[0]),
            LocationManager(sources: [sources[1]], executor: .immediate),
            LocationManager(source: sources[2]), LocationManager(source: sources[3]),
        ]
        let observation = managers[0].events.didUpdateLocations.observe { ages[0].add($0) }
        managers[1].delegate = ages[1]
        managers[2].delegate = ages[2]
        let stream = managers[3].didUpdateLocations
        let reading = Task { for await locations in stream { ages[3].add(locations) } }
        for manager in managers { manager.startUpdatingLocation() }
        _ = sender.line()
        for manager in managers { manager.stopUpdatingLocation() }
        reading.cancel()
        observation.dispose()
        let ways = [
            "an observer", "a delegate on the reading thread", "a delegate on its queue",
            "a stream",
        ]
        for (ages, way) in zip(ages, ways) { ages.report(way) }
    }
}
