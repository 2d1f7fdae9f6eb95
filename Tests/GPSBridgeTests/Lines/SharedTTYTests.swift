// SPDX-License-Identifier: MIT
import GNSS
import GPSBridge
import GPSReceivers
import GPSTestSupport
import Testing

/// A source that gives a tty under a different name, like "any receiver".
private struct OtherName: DeviceSource {
    let serial: SerialSource
    let name = "another name"
    let identity = SourceIdentity.unique()
    var origin: DataOrigin { .live }

    func open() async throws(DeviceError) -> any DeviceConnection { try await serial.open() }
    func availability() -> (any DeviceAvailability)? { serial.availability() }
}

@Suite(.timeLimit(.generous))
struct SharedTTYTests {
    @Test func `one tty is read under two names in any order`() async throws {
        let receiver = try ScriptedReceiver()
        let serial = receiver.source
        for (first, second) in [
            (serial as any DeviceSource, OtherName(serial: serial) as any DeviceSource),
            (OtherName(serial: serial), serial),
        ] {
            let (one, other) = (LocationManager(source: first), LocationManager(source: second))
            let (ones, others) = (one.didUpdateLocations, other.didUpdateLocations)
            one.startUpdatingLocation()
            await receiver.waitForReader()
            await receiver.sendEpoch(1)
            await receiver.sendEpoch(2)
            for await _ in ones.prefix(1) {}
            other.startUpdatingLocation()
            await receiver.sendEpochs { _ = await collect(2, from: others) }
            #expect(other.location?.device == receiver.path)
            // The manager that opened it stops, and the other continues.
            one.stopUpdatingLocation()
            let rest = other.didUpdateLocations
            await receiver.sendEpochs { _ = await collect(2, from: rest) }
            other.stopUpdatingLocation()
            await receiver.waitUntilUnread()
        }
    }

    @Test func `loss and return of a shared tty are reported under both names`() async throws {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        let receiver = try ScriptedReceiver(link: link)
        let serial = SerialSource(link)
        let managers = [
            LocationManager(source: serial), LocationManager(source: OtherName(serial: serial)),
        ]
        let paused = managers.map(\.didPauseLocationUpdates)
        let resumed = managers.map(\.didResumeLocationUpdates)
        for manager in managers { await start([manager]) }
        receiver.unplug()
        for stream in paused { for await _ in stream.prefix(1) {} }
        let back = try ScriptedReceiver(link: link)
        for stream in resumed { for await _ in stream.prefix(1) {} }
        withExtendedLifetime(back) {}
    }

    @Test func `statistics of a shared tty are reported under both names`() async throws {
        let receiver = try ScriptedReceiver()
        let serial = receiver.source
        let managers = [
            LocationManager(source: serial), LocationManager(source: OtherName(serial: serial)),
        ]
        let statistics = managers.map(\.statistics)
        for manager in managers { manager.startUpdatingLocation() }
        await receiver.waitForReader()
        await receiver.sendEpochs {
            for stream in statistics { for await _ in stream.prefix(1) {} }
        }
        for manager in managers { manager.stopUpdatingLocation() }
    }

    @Test func `a shared tty is shared again after the session that holds it was reopened`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let pool = ReceiverPool()
        let holder = pool.session(for: receiver.source)
        let sharer = pool.session(for: OtherName(serial: receiver.source))
        let (openings, changes) = (Witness<Bool>(), Witness<String>())
        let held = holder.join { if case .condition(.open, _) = $0 { openings.note(true) } }
        _ = await openings.first(1)
        let shared = sharer.join { update in
            switch update {
            case .condition(.open, _): changes.note("open")
            case .condition(.lost, _): changes.note("lost")
            default: break
            }
        }
        _ = await changes.first(1)
        holder.reopen()
        #expect(await changes.first(3) == ["open", "lost", "open"])
        withExtendedLifetime((held, shared)) {}
    }
}
