// SPDX-License-Identifier: MIT
import Devices
import GPSBridge
import TestSupport
import Testing

/// A source that leads to a tty under a name of its own, as "any receiver" does.
private struct OtherName: DeviceSource {
    let serial: SerialSource
    let name = "another name"
    let identity = SourceIdentity.unique()
    var origin: DataOrigin { .live }

    func open() async throws(DeviceError) -> any DeviceConnection { try await serial.open() }
    func availability() -> (any DeviceAvailability)? { serial.availability() }
}

@Suite(.timeLimit(.minutes(1)))
struct SharedTTYTests {
    @Test func `one tty under two names is read by both, whoever comes first`() async throws {
        let receiver = try ScriptedReceiver()
        let serial = SerialSource(receiver.path)
        for (first, second) in [
            (serial as any DeviceSource, OtherName(serial: serial) as any DeviceSource),
            (OtherName(serial: serial), serial),
        ] {
            let (one, other) = (LocationManager(source: first), LocationManager(source: second))
            let (ones, others) = (one.didUpdateLocations, other.didUpdateLocations)
            one.startUpdatingLocation()
            await receiver.waitForReader()
            await receiver.say(1)
            await receiver.say(2)
            for await _ in ones.prefix(1) {}
            other.startUpdatingLocation()
            async let found: Void = { for await _ in others.prefix(2) {} }()
            for second in 3..<200 {
                await receiver.say(second)
                if await Poller.shared.sleep(until: .now + .milliseconds(10)) != .timedOut { break }
                if other.location.map({ $0.fix.time != nil }) == true { break }
            }
            await receiver.say(300)
            await receiver.say(301)
            await found
            #expect(other.location?.device == receiver.path)
            // Who opened it leaves, and the other goes on.
            one.stopUpdatingLocation()
            async let more: Void = { for await _ in other.didUpdateLocations.prefix(2) {} }()
            for second in 302..<306 {
                await receiver.say(second)
                _ = await Poller.shared.sleep(until: .now + .milliseconds(10))
            }
            await more
            other.stopUpdatingLocation()
            await receiver.waitUntilUnread()
        }
    }

    @Test func `both are told that it is gone, and that it is back`() async throws {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        let receiver = try ScriptedReceiver(link: link)
        let serial = SerialSource(link)
        let managers = [
            LocationManager(source: serial), LocationManager(source: OtherName(serial: serial)),
        ]
        let paused = managers.map(\.didPauseLocationUpdates)
        let resumed = managers.map(\.didResumeLocationUpdates)
        for manager in managers {
            manager.startUpdatingLocation()
            for await status in manager.didChangeAuthorization {
                if status == .authorizedAlways { break }
            }
        }
        receiver.unplug()
        for stream in paused { for await _ in stream.prefix(1) {} }
        let back = try ScriptedReceiver(link: link)
        for stream in resumed { for await _ in stream.prefix(1) {} }
        withExtendedLifetime(back) {}
    }
}
