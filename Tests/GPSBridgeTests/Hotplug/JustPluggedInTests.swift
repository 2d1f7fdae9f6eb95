// SPDX-License-Identifier: MIT
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct JustPluggedInTests {
    @Test func `a device in use just after it was plugged in is retried without an error`()
        async throws
    {
        let folder = try TemporaryFolder()
        let (link, receiver) = (folder.path("gps"), try ScriptedReceiver())
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let manager = LocationManager(
            sources: [.serial(link)], queue: nil, member: SessionMember(),
            pool: ReceiverPool(poller: poller))
        let delegate = RecordingDelegate()
        manager.delegate = delegate
        let errors = Witness<DeviceError.Code?>()
        let subscription = manager.events.didFailWithError.subscribe { errors.note($0.cause?.code) }
        manager.startUpdatingLocation()
        #expect(await errors.first(1) == [.notFound])

        // Like a program that opens every plugged-in device.
        let other = try await SerialSource(receiver.path).open()
        let authorized = manager.didChangeAuthorization
        symlink(receiver.path, link)
        for attempt in 1...4 {
            while clock.sleeperCount == 0 { await Task.yield() }
            #expect(manager.authorizationStatus == .notDetermined)
            if attempt == 4 { other.close() }
            clock.advance(by: .milliseconds(50))
        }
        for await status in authorized {
            #expect(status == .authorizedAlways)
            break
        }
        #expect(errors.all == [.notFound])
        subscription.dispose()
    }
}
