// SPDX-License-Identifier: MIT
import CoreLocation
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct RequestTests {
    @Test func `a request has one outcome and closes the receiver`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        manager.requestLocation()
        manager.requestLocation()
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        _ = await delegate.locations(1)
        await receiver.waitUntilUnread()
        #expect(delegate.locations.count == 1)
    }

    @Test func `a request waits for the desired accuracy`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        manager.desiredAccuracy = kCLLocationAccuracyNearestTenMeters
        manager.requestLocation()
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second, hdop: 20) }
        for second in 3..<6 { await receiver.sendEpoch(second, latitude: 49, hdop: 0.8) }
        #expect(await delegate.locations(1)[0].coordinate.latitude == 49)
    }

    @Test func `a request does not wait for an accuracy that is not met`() async throws {
        let receiver = try ScriptedReceiver()
        let manager = CLLocationManager(
            source: receiver.source, headingTimeout: 60, accuracyTimeout: .zero)
        let delegate = RecordingDelegate(of: manager)
        manager.desiredAccuracy = kCLLocationAccuracyNearestTenMeters
        manager.requestLocation()
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second, hdop: 20) }
        #expect(await delegate.locations(1)[0].horizontalAccuracy > 10)
    }

    @Test func `a request during updates delivers no location twice`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        _ = await delegate.locations(1)
        manager.requestLocation()
        for second in 3..<20 { await receiver.sendEpoch(second) }
        let locations = await delegate.locations(12)
        #expect(Set(locations.map(\.timestamp)).count == locations.count)
    }

    @Test func `stopping cancels a request without an outcome`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        manager.requestLocation()
        await receiver.waitForReader()
        manager.stopUpdatingLocation()
        await receiver.waitUntilUnread()
        // Another request is not delayed by the first.
        manager.requestLocation()
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        _ = await delegate.locations(1)
        await receiver.waitUntilUnread()
        #expect(delegate.locations.count == 1)
    }

    private final class Insistent: NSObject, CLLocationManagerDelegate, Sendable {
        let locations = Witness<CLLocation>()

        func locationManager(
            _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
        ) {
            self.locations.note(locations[0])
            manager.requestLocation()
        }
    }

    @Test func `the delegate can request again from its call`() async throws {
        let receiver = try ScriptedReceiver()
        let manager = CLLocationManager(source: receiver.source)
        let delegate = Insistent()
        manager.delegate = delegate
        manager.requestLocation()
        let sending = Task {
            for second in 0..<3000 where !Task.isCancelled {
                await receiver.sendEpoch(second)
                await receiver.waitForReader()
            }
        }
        #expect(await delegate.locations.first(3).count == 3)
        sending.cancel()
        manager.stopUpdatingLocation()
    }

    @Test func `a recording without a position ends a request with a failure`() async throws {
        let manager = CLLocationManager(source: .sentences(["$GPRMC,,V,,,,,,,,,,N*53"]))
        let delegate = RecordingDelegate(of: manager)
        manager.requestLocation()
        let error = await delegate.failure()
        #expect(error?.code == .locationUnknown)
    }
}

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

@Suite(.timeLimit(.generous))
struct HeadingTests {
    @Test func `headings are independent of locations and filtered by change`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        manager.headingFilter = 5
        manager.startUpdatingHeading()
        await receiver.waitForReader()
        // All at once: a pause between two sentences would end an epoch.
        let headings = [100, 101, 102, 110, 111, 112, 120, 121, 122]
        let text = headings.enumerated().map { second, heading in
            let epoch = String(decoding: ScriptedReceiver.epoch(second), as: UTF8.self)
            return Self.sentence("GNHDT,\(heading).0,T") + epoch
        }
        await receiver.send(text.joined())
        await delegate.calls.wait { $0 == .heading(110) }
        let delivered = delegate.calls.all.compactMap { call -> Double? in
            if case .heading(let heading) = call { heading } else { nil }
        }
        #expect(zip(delivered, delivered.dropFirst()).allSatisfy { $1 - $0 >= 5 })
        #expect(delegate.locations.isEmpty && CLLocationManager.headingAvailable())
        let heading = try #require(manager.heading)
        // The variation is unknown; a negative accuracy would mean an invalid heading.
        #expect(heading.magneticHeading == heading.trueHeading && heading.headingAccuracy == 5)
        manager.stopUpdatingHeading()
        await receiver.waitUntilUnread()
    }

    // Each in a separate process, because the state of compasses is global.
    @Test func `headings are available initially`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            precondition(CLLocationManager.headingAvailable())
            let manager = CLLocationManager(source: .sentences([]))
            manager.startUpdatingLocation()
            manager.startUpdatingHeading()
            precondition(CLLocationManager.headingAvailable())
        }
    }

    @Test func `headings are unavailable after a timeout, until one arrives`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let receiver = try ScriptedReceiver()
            let manager = CLLocationManager(source: receiver.source, headingTimeout: 0)
            let delegate = RecordingDelegate(of: manager)
            manager.startUpdatingHeading()
            let failure = await delegate.failure()
            precondition(failure?.code == .headingFailure)
            precondition(!CLLocationManager.headingAvailable())
            await receiver.waitForReader()
            for second in 0..<4 {
                await receiver.send("\(HeadingTests.sentence("GNHDT,100.0,T"))")
                await receiver.sendEpoch(second)
            }
            await delegate.calls.wait { $0 == .heading(100) }
            precondition(CLLocationManager.headingAvailable())
            manager.stopUpdatingHeading()
            await receiver.waitUntilUnread()
        }
    }

    @Test func `a heading is archived`() throws {
        let heading = CLHeading(
            receiver: Heading(
                trueHeading: 90, magneticHeading: 86, headingAccuracy: 0.5,
                timestamp: Date(timeIntervalSince1970: 1_774_094_400)))
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: heading, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: CLHeading.self, from: data)
        #expect(back?.magneticHeading == 86 && back?.trueHeading == 90)
        #expect(back?.headingAccuracy == 0.5 && back?.timestamp == heading.timestamp)
    }

    fileprivate static func sentence(_ body: String) -> String {
        let digits = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
    }
}
