// SPDX-License-Identifier: MIT
import CoreLocation
import GPSBridge
import Glibc
import Synchronization

/// The additional cost of `CoreLocation` over `GPSBridge`: processor time for each location, from
/// bytes in memory to a delegate that reads the position, once with a `LocationManager` and once
/// with a `CLLocationManager`.
@main
struct Bench {
    static let count = 20_000
    static let runs = 25

    static func main() async {
        let bytes = recording(count)
        var (core, apple) = (Double.infinity, Double.infinity)
        // Alternates, so that a busy machine affects both.
        for _ in 0..<runs {
            core = min(core, await measure { await withLocationManager(bytes) })
            apple = min(apple, await measure { await withCLLocationManager(bytes) })
        }
        func row(_ name: String, _ seconds: Double) {
            print(String(format: "%-28@ %8.0f ns", name as NSString, seconds / Double(count) * 1e9))
        }
        row("LocationManager", core)
        row("CLLocationManager", apple)
        row("above GPSBridge", apple - core)
        guard apple - core <= Double(count) * 1e-6 else {
            print("more than 1 µs for each location")
            exit(1)
        }
    }

    /// The processor time of the whole process, because both use the same threads.
    private static func measure(_ body: @Sendable () async -> Int) async -> Double {
        let start = processorTime()
        let delivered = await body()
        let time = processorTime() - start
        precondition(delivered == count, "\(delivered) of \(count) locations")
        return time
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    private static func withLocationManager(_ bytes: [UInt8]) async -> Int {
        let delegate = CoreDelegate()
        let manager = LocationManager(source: .bytes(bytes))
        manager.delegate = delegate
        manager.startUpdatingLocation()
        return await delegate.tally.finished()
    }

    private static func withCLLocationManager(_ bytes: [UInt8]) async -> Int {
        let delegate = AppleDelegate()
        let manager = CLLocationManager(source: .bytes(bytes))
        manager.delegate = delegate
        manager.startUpdatingLocation()
        defer { withExtendedLifetime(manager) {} }
        return await delegate.tally.finished()
    }

    /// Returns RMC and GGA for each second.
    private static func recording(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for second in 0..<count {
            let time = String(
                format: "%02d%02d%02d.00", second / 3600 % 24, second / 60 % 60, second % 60)
            let latitude = String(format: "48%08.5f,N", Double(second % 6000) / 100)
            for body in [
                "GNRMC,\(time),A,\(latitude),01621.60000,E,10.0,90.0,210326,,,A",
                "GNGGA,\(time),\(latitude),01621.60000,E,1,09,1.0,171.0,M,43.0,M,,",
            ] {
                let checksum = body.utf8.reduce(0, ^)
                bytes += Array("$\(body)*\(String(format: "%02X", checksum))\r\n".utf8)
            }
        }
        return bytes
    }
}

/// Counts locations, and resumes the task that waits for the last.
final class Tally: Sendable {
    private struct State {
        var count = 0
        var sum = 0.0
        var waiting: CheckedContinuation<Int, Never>?
    }

    private let state = Mutex(State())

    func add(_ latitude: Double, _ accuracy: Double) {
        let finished = state.withLock { state in
            state.count += 1
            state.sum += latitude + accuracy
            return state.count == Bench.count ? state.waiting : nil
        }
        finished?.resume(returning: Bench.count)
    }

    func finished() async -> Int {
        await withCheckedContinuation { continuation in
            let count = state.withLock { state in
                if state.count < Bench.count { state.waiting = continuation }
                return state.count
            }
            if count == Bench.count { continuation.resume(returning: count) }
        }
    }
}

final class CoreDelegate: LocationManagerDelegate, Sendable {
    let tally = Tally()

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        for location in locations {
            tally.add(location.coordinate.latitude, location.horizontalAccuracy)
        }
    }
}

final class AppleDelegate: NSObject, CLLocationManagerDelegate, Sendable {
    let tally = Tally()

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        for location in locations {
            tally.add(location.coordinate.latitude, location.horizontalAccuracy)
        }
    }
}
