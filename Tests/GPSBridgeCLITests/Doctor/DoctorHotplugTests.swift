// SPDX-License-Identifier: MIT
import GNSS
import GPSBridgeCLI
import GPSIO
import GPSReceivers
import GPSTestSupport
import Synchronization
import Testing

/// Run with `umockdev-wrapper swift test --filter DoctorHotplugTests`.
@Suite(
    .timeLimit(.generous), .enabled(if: Umockdev.isAvailable, "run this with umockdev-wrapper"))
struct DoctorHotplugTests {
    @Test func `a receiver that reconnects repeatedly is distinguished from a lost one`()
        async throws
    {
        let machine = Umockdev()
        var device = Umockdev.Device(vendor: "1546", product: "01a7", tty: "ttyACM0", number: 1)
        #expect(machine.plug(device))
        let openCount = machine.openCount(of: device)
        let examination = Examination(of: .serial("/dev/ttyACM0"), limit: 600)
        let isOver = Atomic(false)
        async let evidence = {
            defer { isOver.store(true, ordering: .relaxed) }
            return try await examination.evidence()
        }()
        while machine.openCount(of: device) == openCount {
            _ = await Poller.shared.sleep(until: .now + .milliseconds(5))
        }
        var number = 1
        while !isOver.load(ordering: .relaxed), !Task.isCancelled {
            number += 1
            _ = await Poller.shared.sleep(until: .now + .milliseconds(250))
            machine.unplug(device)
            device.tty = "ttyACM\(number)"
            device.number = number
            #expect(machine.plug(device))
        }
        let found = try await evidence
        #expect(found.failure?.code == .disconnected)
        #expect(found.reconnects?.returns == 3)
        #expect(Diagnosis(found).condition == .disconnected)
    }
}
