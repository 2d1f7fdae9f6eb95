// SPDX-License-Identifier: MIT
import GNSS
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import SimulatedDevices
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

/// A container has the device nodes that it was started with, and gets no events.
@Suite(.timeLimit(.generous))
struct ContainerTests {
    /// A tty whose node remains when its device is unplugged.
    private struct StaticNode: DeviceSource {
        let tty: SerialSource
        let isThere: @Sendable () -> Bool

        var name: String { tty.name }
        var origin: DataOrigin { .live }
        var identity: SourceIdentity { tty.identity }

        func open() async throws(DeviceError) -> any DeviceConnection {
            guard isThere() else {
                throw DeviceError(.notFound, device: name, errno: ENXIO)
            }
            return try await tty.open()
        }

        func availability() -> (any DeviceAvailability)? { Nothing() }
    }

    private struct Nothing: DeviceAvailability {
        func next(until deadline: MonotonicInstant?) async {
            _ = await Poller.shared.sleep(until: deadline ?? .now + .seconds(3600))
        }
    }

    @Test func `a device node without a device is retried without an event`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let tries = Mutex(0)
        let source = StaticNode(tty: SerialSource(receiver.path)) {
            tries.withLock { tries in
                tries += 1
                return tries > 3
            }
        }
        let manager = LocationManager(source: source)
        let errors = Witness<DeviceError.Code?>()
        let subscription = manager.events.didFailWithError.observe { errors.note($0.cause?.code) }
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        #expect(tries.withLock { $0 } == 4)
        // On a busy machine, the receiver may be silent before this is checked.
        #expect(errors.all.filter { $0 != .silent } == [.notFound])
        subscription.dispose()
    }
}

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

/// For ten thousand cycles run `scripts/bench/receivers cycles 10000`.
@Suite(.timeLimit(.generous))
struct ReplugCyclesTests {
    @Test func `replugging a hundred times leaks nothing`() async {
        // In a separate process, where no other test opens files at the same time.
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let link = folder.path("gps")
            let manager = LocationManager(source: .serial(link))
            manager.startUpdatingLocation()
            func cycle(_ number: Int) async throws {
                let (locations, paused) = (
                    manager.didUpdateLocations, manager.didPauseLocationUpdates
                )
                let receiver = try ScriptedReceiver(link: link)
                await receiver.waitForReader()
                // More than once, because the search for the rate may drop some of them.
                await receiver.sendEpoch(10 * number)
                await receiver.sendEpochs { for await _ in locations.prefix(1) {} }
                receiver.unplug()
                for await _ in paused.prefix(1) {}
            }
            for number in 0..<10 { try await cycle(number) }
            let before = openDescriptorCount()
            for number in 10..<110 { try await cycle(number) }
            // One or two may just be opened or closed, but not a hundred.
            #expect(openDescriptorCount() < before + 10)
        }
    }
}

/// Run with `umockdev-wrapper swift test --filter SimulatedHotplug`.
@Suite(
    .serialized, .timeLimit(.generous),
    .enabled(if: Umockdev.isAvailable, "run this with umockdev-wrapper"))
struct SimulatedHotplugTests {
    @Test func `a receiver is found, lost and found again as another tty`() async throws {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = .ublox7
        // In real time, the receiver might be unplugged before a busy machine has read it.
        let clock = ManualClock()
        configuration.pace = .stepped(by: clock)
        configuration.faults = [Fault(.unplug(as: "ttyACM8"), at: 1000, for: 5)]
        // umockdev must be set up before the first use of udev.
        let receiver = SimulatedUSBReceiver(Umockdev(), tty: "ttyACM7", number: 7)
        let manager = LocationManager()
        let delegate = RecordingDelegate(of: manager)
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()

        let simulation = Simulation(configuration, outputs: [receiver])
        let run = Task { try await simulation.run() }
        let stepping = clock.run()
        var devices: [String] = []
        for await locations in stream {
            #expect(locations[0].sourceInformation.isSimulatedBySoftware)
            if devices.last != locations[0].device { devices.append(locations[0].device) }
            // From then on, it is unplugged as soon as possible.
            if devices.count == 1 { clock.advance(by: .seconds(max(0, 1000 - clock.elapsed))) }
            if devices.count == 2 { break }
        }
        #expect(devices == ["/dev/ttyACM7", "/dev/ttyACM8"])
        await delegate.calls.wait { $0 == .resumed }
        #expect(delegate.calls.all.filter { $0 == .paused }.count == 1)
        stepping.cancel()
        run.cancel()
        _ = try await run.value
    }
}
