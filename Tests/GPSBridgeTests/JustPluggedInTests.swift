// SPDX-License-Identifier: MIT
import Devices
import GPSBridge
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.generous))
struct JustPluggedInTests {
    @Test func `who has a receiver only as it is plugged in is not complained of`() async throws {
        let folder = try TemporaryFolder()
        let (link, receiver) = (folder.path("gps"), try ScriptedReceiver())
        let manager = LocationManager(source: .serial(link))
        let delegate = RecordingDelegate()
        manager.delegate = delegate
        let errors = Witness<DeviceError.Code?>()
        let subscription = manager.events.didFailWithError.subscribe { errors.note($0.cause?.code) }
        manager.startUpdatingLocation()
        #expect(await errors.first(1) == [.notFound])

        // As a program that looks at whatever is plugged in.
        let other = try await SerialSource(receiver.path).open()
        let authorized = manager.didChangeAuthorization
        symlink(receiver.path, link)
        _ = await Poller.shared.sleep(until: .now + .milliseconds(200))
        #expect(manager.authorizationStatus == .notDetermined)
        other.close()
        for await status in authorized {
            #expect(status == .authorizedAlways)
            break
        }
        #expect(errors.all == [.notFound])
        subscription.dispose()
    }
}
