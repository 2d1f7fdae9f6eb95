// SPDX-License-Identifier: MIT
import CoreLocation
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct LiveUpdatesTests {
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
        do {
            let loops = (0..<2).map { _ in
                CLLocationUpdate.liveUpdates(.fitness, source: source).makeAsyncIterator()
            }
            // All have joined when the polling thread has run what waited for it before this task.
            await Task(executorPreference: Poller.shared) {}.value
            for second in 0..<8 {
                await receiver.sendEpoch(second, latitude: 48 + Double(second) / 1000)
            }
            let delegated = await delegate.locations(5).map(\.coordinate.latitude)
            #expect(delegated.count == 5)
            for var loop in loops {
                var latitudes: [Double] = []
                while latitudes.count < 5, let update = try await loop.next() {
                    if let location = update.location {
                        latitudes.append(location.coordinate.latitude)
                    }
                }
                #expect(latitudes == delegated)
            }
        }
        manager.stopUpdatingLocation()
        await receiver.waitUntilUnread()
    }

    // In a separate process, because the configured receiver is that of the whole program.
    @Test func `a loop that reads late does not replace the program's location by an older one`()
        async
    {
        await #expect(processExitsWith: .exitCode(0)) {
            // At this rate, the loop's unread locations fit into its buffer for 51 seconds.
            setenv("GPSBRIDGE_SOURCE", "simulated:rate=5", 1)
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
