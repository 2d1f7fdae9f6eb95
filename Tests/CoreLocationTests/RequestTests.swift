// SPDX-License-Identifier: MIT
import CoreLocation
import GPSBridge
import GPSReceivers
import GPSTestSupport
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
