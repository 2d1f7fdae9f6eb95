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
}
