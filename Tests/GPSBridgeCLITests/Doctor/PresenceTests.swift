// SPDX-License-Identifier: MIT
import GPSBridgeCLI
import GPSReceivers
import GPSTestTraits
import Glibc
import Testing

/// Findings about devices and names that are missing, and about silent ttys of machines and modems.
@Suite(.timeLimit(.generous))
struct PresenceTests {
    @Test func `a driver that rejects a device is not to be loaded again`() throws {
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

    @Test func `a silent modem gets the advice to switch its receiver on`() throws {
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
        #expect(finding.remedy?.contains("may then be /dev/ttyUSB0 or /dev/ttyUSB2") == true)
        #expect(finding.remedy?.contains("plug") == false)
    }

    @Test(arguments: [
        ("/dev/rfcomm1", "sudo rfcomm bind 1 ADDRESS"), ("/dev/serial0", "sudo raspi-config"),
        ("/dev/ttyAMA0", "sudo raspi-config"),
        ("/dev/serial/by-id/usb-u-blox", "plug the receiver in"),
        ("/dev/ttyUSB0", "plug the receiver in"),
    ])
    func `a name that is missing gets advice for its kind of line`(
        _ name: String, _ remedy: String
    ) throws {
        var evidence = Evidence()
        evidence.name = name
        evidence.failure = DeviceError(.notFound, device: name, errno: ENOENT)
        let finding = try #require(Diagnosis(evidence).findings.first)
        #expect(finding.condition == .noDevice)
        #expect(finding.remedy?.contains(remedy) == true)
    }

    @Test func `a serial number whose receiver is not plugged in is missing`() async throws {
        let source = USBSerialNumberSource(serialNumber: "none")
        let diagnosis = try await Examination(of: source).run()
        #expect(diagnosis.condition == .noDevice)
        let finding = try #require(diagnosis.findings.first)
        #expect(finding.text == "There is no serial:none.")
    }

    @Test(arguments: [DeviceError.Code.ioFailed, .disconnected])
    func `a Bluetooth receiver gets no advice to plug it in`(_ code: DeviceError.Code) throws {
        var evidence = Evidence()
        evidence.name = "/dev/rfcomm0"
        evidence.failure = DeviceError(code, device: "/dev/rfcomm0", errno: EHOSTDOWN)
        let finding = try #require(Diagnosis(evidence).findings.last)
        #expect(finding.text.hasPrefix("/dev/rfcomm0 has no Bluetooth connection (Host is down)"))
        #expect(finding.remedy == nil && !finding.text.contains("plug"))
    }

    @Test(arguments: ["/dev/serial0", "/dev/ttyAMA0"])
    func `a silent serial line of a board gets advice to check the wiring`(_ name: String) throws {
        var evidence = Evidence()
        evidence.name = name
        evidence.line = LineReport()
        let finding = try #require(Diagnosis(evidence).findings.last)
        #expect(finding.condition == .silent)
        #expect(finding.remedy?.contains("wiring") == true)
        #expect(finding.remedy?.contains("plug") == false)
    }
}
