// SPDX-License-Identifier: MIT
import CoreLocation
import GPSBridge
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct LiveUpdatesTests {
    private static func latitudes(_ source: some DeviceSource, _ count: Int) async throws
        -> [Double]
    {
        var latitudes: [Double] = []
        for try await update in CLLocationUpdate.liveUpdates(.fitness, source: source) {
            if let location = update.location { latitudes.append(location.coordinate.latitude) }
            if latitudes.count == count { break }
        }
        return latitudes
    }

    @Test
    func `two loops and a delegate get the same locations, and the last one closes the receiver`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let source = receiver.source
        let delegate = RecordingDelegate()
        let manager = CLLocationManager(source: source)
        manager.delegate = delegate
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        var seen: [[Double]] = []
        try await receiver.sendEpochs {
            async let one = Self.latitudes(source, 5)
            async let two = Self.latitudes(source, 5)
            seen = try await [one, two]
            let last = seen.joined().max() ?? 0
            await delegate.calls.wait { call in
                if case .locations(let locations) = call {
                    return locations.contains { $0.coordinate.latitude >= last }
                }
                return false
            }
        }
        let all = delegate.locations.map(\.coordinate.latitude)
        for latitudes in seen {
            let first = try #require(latitudes.first)
            let start = try #require(all.firstIndex(of: first))
            #expect(Array(all[start...].prefix(5)) == latitudes)
        }
        manager.stopUpdatingLocation()
        await receiver.waitUntilUnread()
    }

    // In a separate process, because the configured receiver is that of the whole program.
    @Test func `a loop that reads late does not replace the program's location by an older one`()
        async
    {
        await #expect(processExitsWith: .exitCode(0)) {
            setenv("GPSBRIDGE_SOURCE", "simulated:rate=10", 1)
            var updates = CLLocationUpdate.liveUpdates().makeAsyncIterator()
            let manager = CLLocationManager()
            let delegate = RecordingDelegate(of: manager)
            manager.startUpdatingLocation()
            let newest = await delegate.locations(5)[4].timestamp
            manager.stopUpdatingLocation()
            var read: CLLocation?
            while read == nil { read = try await updates.next()?.location }
            guard let read, let last = CLLocationManager().location else { preconditionFailure() }
            precondition(read.timestamp < newest && last.timestamp >= newest)
        }
    }

    @Test func `a lost fix is an update without a location`() async throws {
        let receiver = try ScriptedReceiver()
        let source = receiver.source
        let task = Task {
            var seen: [Bool] = []
            for try await update in CLLocationUpdate.liveUpdates(source: source) {
                #expect((update.location == nil) == update.locationUnavailable)
                if seen.last != update.locationUnavailable {
                    seen.append(update.locationUnavailable)
                }
                if seen.count == 3 { break }
            }
            return seen
        }
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        for second in 3..<6 { await receiver.sendEpoch(second, quality: .invalid) }
        for second in 6..<9 { await receiver.sendEpoch(second) }
        #expect(try await task.value == [false, true, false])
    }
}
