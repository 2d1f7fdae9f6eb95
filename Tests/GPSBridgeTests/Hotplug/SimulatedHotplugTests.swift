// SPDX-License-Identifier: MIT
import GPSBridge
import GPSReceivers
import GPSTestSupport
import SimulatedDevices
import Testing

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
