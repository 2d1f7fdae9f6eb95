// SPDX-License-Identifier: MIT
import GPSBridgeCLI
import GPSReceivers
import GPSTestTraits
import Glibc
import Testing

/// Findings about devices and names that are missing.
@Suite(.timeLimit(.generous))
struct PresenceTests {
    @Test func `a driver that is loaded and rejects a device is not to be loaded`() throws {
        var evidence = Evidence()
        evidence.unboundDevices = [
            UnboundDevice(
                id: "067b:23a3", model: "PL2303G", module: "pl2303", isModuleLoaded: true)
        ]
        let finding = try #require(Diagnosis(evidence).findings.first)
        #expect(
            finding.condition == .noTTY && finding.text.contains("its driver pl2303 has no tty"))
        #expect(finding.remedy?.contains("dmesg | grep -iE 'pl2303|brltty'") == true)
        #expect(finding.remedy?.contains("modprobe") == false)
    }

    @Test func `the receiver of a silent modem is to be switched on, not unplugged`() throws {
        var evidence = Evidence()
        evidence.name = "/dev/ttyUSB1"
        var tty = Evidence.TTY(
            path: "/dev/ttyUSB1", id: "2c7c:0125", model: "EC25", driver: "option")
        (tty.sendsNMEA, tty.isReceiver) = (false, false)
        tty.siblings = ["/dev/ttyUSB0", "/dev/ttyUSB2"]
        evidence.tty = tty
        evidence.line = LineReport()
        let finding = try #require(Diagnosis(evidence).findings.last)
        #expect(finding.condition == .silent && finding.text.contains("a modem"))
        #expect(finding.remedy?.contains("--location-enable-gps-unmanaged") == true)
        #expect(finding.remedy?.contains("may be /dev/ttyUSB0 or /dev/ttyUSB2") == true)
        #expect(finding.remedy?.contains("plug") == false)
    }
}
