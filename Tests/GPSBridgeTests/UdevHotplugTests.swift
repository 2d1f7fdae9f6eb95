// SPDX-License-Identifier: MIT
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Synchronization
import Testing

/// Run with `umockdev-wrapper swift test --filter UdevHotplugTests`.
@Suite(
    .serialized, .timeLimit(.generous),
    .enabled(if: Umockdev.isAvailable, "run this with umockdev-wrapper"))
struct UdevHotplugTests {
    /// Sends epochs through a tty of the machine until it is stopped.
    private final class Talker: Sendable {
        private let isOver = Atomic(false)

        func send(_ fd: CInt) async {
            _ = fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK)
            for second in 0..<3600 where !isOver.load(ordering: .relaxed) {
                let bytes = ScriptedReceiver.epoch(second)
                _ = write(fd, bytes, bytes.count)
                _ = await Poller.shared.sleep(until: .now + .milliseconds(50))
            }
        }

        func stop() { isOver.store(true, ordering: .relaxed) }
    }

    /// The changes that the discovery of devices reports.
    private let changes = Witness<DeviceChange>()

    /// Plugs a device in, which sends until every manager has a location from it, and its
    /// appearance was reported.
    private func serve(
        _ machine: Umockdev, _ device: Umockdev.Device, to managers: [LocationManager]
    ) async {
        let streams = managers.map(\.didUpdateLocations)
        #expect(machine.plug(device))
        let (talker, line) = (Talker(), machine.receiver(device))
        async let transmission: Void = talker.send(line)
        for stream in streams {
            for await locations in stream {
                if locations.last?.device == "/dev/\(device.tty)" { break }
            }
        }
        talker.stop()
        await transmission
        await changes.wait {
            if case .appeared(let new) = $0 { new.path == "/dev/\(device.tty)" } else { false }
        }
    }

    /// Unplugs a device, and waits until every manager has detected it, and it was reported.
    private func pull(
        _ machine: Umockdev, _ device: Umockdev.Device, from managers: [LocationManager]
    ) async {
        let paused = managers.map(\.didPauseLocationUpdates)
        machine.unplug(device)
        for stream in paused { for await _ in stream.prefix(1) {} }
        await changes.wait {
            if case .disappeared(let old) = $0 { old.path == "/dev/\(device.tty)" } else { false }
        }
    }

    @Test func `receivers are found, distinguished, lost and found again under other names`()
        async throws
    {
        let folder = try TemporaryFolder()
        setenv("XDG_STATE_HOME", folder.path, 1)
        let machine = Umockdev()
        let watch = Task { [changes] in
            for await change in DeviceDiscovery.changes() { changes.note(change) }
        }

        // A converter is read, because there is no certain receiver.
        let any = LocationManager()
        any.startUpdatingLocation()
        var mouse = Umockdev.Device(vendor: "067b", product: "2303", tty: "ttyUSB0", number: 1)
        await serve(machine, mouse, to: [any])
        let found = try #require(DeviceDiscovery.candidates().first)
        #expect(found.model == "GNSS receiver" && found.converter?.name == "Prolific PL2303")
        #expect(DeviceDiscovery.receivers().isEmpty)

        // It returns as another tty, and a second manager follows it to its new name.
        await pull(machine, mouse, from: [any])
        mouse.tty = "ttyUSB1"
        mouse.number = 2
        await serve(machine, mouse, to: [any])
        let named = LocationManager(source: .serial("/dev/ttyUSB1"))
        let authorized = named.didChangeAuthorization
        named.startUpdatingLocation()
        for await status in authorized where status == .authorizedAlways { break }
        await pull(machine, mouse, from: [any, named])
        any.stopUpdatingLocation()
        mouse.tty = "ttyUSB7"
        mouse.number = 3
        await serve(machine, mouse, to: [named])

        // A receiver is followed by its serial number beside other devices.
        let chosen = LocationManager(source: .device(serial: "A1"))
        chosen.startUpdatingLocation()
        var ublox = Umockdev.Device(
            vendor: "1546", product: "01a7", tty: "ttyACM0", number: 4, serialNumber: "A1")
        await serve(machine, ublox, to: [chosen])
        #expect(DeviceDiscovery.receivers().map(\.serialNumber) == ["A1"])
        await pull(machine, ublox, from: [chosen])
        ublox.tty = "ttyACM3"
        ublox.number = 5
        await serve(machine, ublox, to: [chosen])

        // A certain receiver is read, although a silent converter is open.
        named.stopUpdatingLocation()
        await pull(machine, ublox, from: [chosen])
        let late = LocationManager()
        late.startUpdatingLocation()
        _ = await Poller.shared.sleep(until: .now + .milliseconds(300))
        ublox.tty = "ttyACM5"
        ublox.number = 6
        await serve(machine, ublox, to: [late, chosen])

        watch.cancel()
        // Before the folder is removed.
        RateMemory.shared.save()
        let delivered = changes.all.map { change in
            switch change {
            case .appeared(let device): "+" + device.path.dropFirst("/dev/tty".count)
            case .disappeared(let device): "-" + device.path.dropFirst("/dev/tty".count)
            }
        }
        #expect(
            delivered == [
                "+USB0", "-USB0", "+USB1", "-USB1", "+USB7", "+ACM0", "-ACM0", "+ACM3", "-ACM3",
                "+ACM5",
            ])
    }
}
