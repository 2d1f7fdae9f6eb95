// SPDX-License-Identifier: MIT
import GNSS
import GPSBridgeCLI
import GPSIO
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import Glibc
import Synchronization
import Testing

@Suite(.timeLimit(.generous))
struct AccessTests {
    @Test(arguments: ["/dev/pts/3", "/home/a/gps", "track.nmea"], [true, false])
    func `no udev rule is advised for a file or a pseudo terminal`(
        name: String, isUdevRunning: Bool
    ) throws {
        var evidence = Evidence()
        (evidence.name, evidence.isUdevRunning) = (name, isUdevRunning)
        evidence.failure = DeviceError(.permissionDenied, device: name, errno: EACCES)
        let finding = try #require(Diagnosis(evidence).findings.last)
        #expect(finding.condition == .permissionDenied)
        #expect(finding.remedy == "ask the owner for read access")
    }

    @Test func `a file in a folder that may not be searched is not reported as present`() {
        var evidence = Evidence()
        evidence.name = "/root/track.nmea"
        evidence.failure = DeviceError(
            .permissionDenied, device: "/root/track.nmea", errno: EACCES)
        let findings = Diagnosis(evidence).findings
        #expect(findings.map(\.condition) == [.permissionDenied])
    }

    @Test func `the owner of a file is not advised to ask the owner`() throws {
        var evidence = Evidence()
        evidence.name = "track.nmea"
        evidence.failure = DeviceError(
            .permissionDenied, device: "track.nmea", errno: EACCES, detail: .ownerDenied)
        let finding = try Self.error(evidence)
        #expect(finding.condition == .permissionDenied)
        #expect(finding.remedy == "run `chmod u+r track.nmea`")
    }

    @Test(arguments: [
        (
            [] as [String],
            "run `sudo make install` in gpsbridge's folder, then plug the receiver in again"
        ),
        (
            ["/usr/lib/udev/rules.d/70-gpsbridge.rules"],
            "run `sudo udevadm control --reload`, then plug the receiver in again"
        ),
    ])
    func `rules that are already installed are not installed again, but applied`(
        _ files: [String], _ advice: String
    ) throws {
        var evidence = Self.receiver
        evidence.ruleFiles = files
        evidence.failure = DeviceError(.permissionDenied, device: Self.path, errno: EACCES)
        #expect(try Self.error(evidence).remedy == advice)
        evidence.failure = DeviceError(
            .busy, device: Self.path, detail: .heldBy(program: "ModemManager", processID: 812))
        #expect(try Self.error(evidence).remedy?.hasPrefix("\(advice); until then") == true)
        evidence.failure = nil
        evidence.isModemManagerRunning = true
        #expect(Diagnosis(evidence).findings.last?.remedy == advice)
    }

    @Test func `a line to which no udev rule applies gets no advice about rules`() throws {
        var evidence = Evidence()
        evidence.name = "/dev/ttyAMA0"
        evidence.failure = DeviceError(.permissionDenied, device: "/dev/ttyAMA0", errno: EACCES)
        let remedy =
            "run `sudo chgrp dialout /dev/ttyAMA0 && sudo chmod 660 /dev/ttyAMA0` and "
            + "`sudo usermod -aG dialout $USER`, then log out and in again"
        #expect(try Self.error(evidence).remedy == remedy)
        // Joining such a group would give far more rights.
        for group in ["disk", "shadow", "root"] {
            let error = DeviceError(
                .permissionDenied, device: "/dev/ttyAMA0", errno: EACCES, detail: .group(group))
            evidence.failure = error
            #expect(try Self.error(evidence).remedy == remedy)
            #expect(!error.description.contains("usermod"))
        }
    }

    @Test(arguments: [
        ("tty", "a login console uses it", "systemctl mask --now serial-getty@ttyACM0.service"),
        ("65534", "its group does not exist in this container", "--group-add keep-groups"),
        ("986", "its group has only a number here, 986", "--group-add 986"),
    ])
    func `joining a group is not advised where it cannot help`(
        _ group: String, _ reason: String, _ remedy: String
    ) throws {
        var evidence = Self.receiver
        let error = DeviceError(
            .permissionDenied, device: Self.path, errno: EACCES, detail: .group(group))
        evidence.failure = error
        let finding = try Self.error(evidence)
        #expect(finding.text.contains(reason))
        #expect(finding.remedy?.contains(remedy) == true)
        #expect(finding.remedy?.contains("usermod") == false)
        // The message of the other commands has the same advice.
        #expect(error.description.contains(remedy))
        #expect(!error.description.contains("usermod"))
    }

    @Test func `a login console is disabled, not killed, because systemd starts it again`() throws {
        var evidence = Evidence()
        evidence.name = "/dev/ttyS0"
        evidence.failure = DeviceError(
            .busy, device: "/dev/ttyS0", detail: .heldBy(program: "agetty", processID: 812))
        let finding = try Self.error(evidence)
        #expect(finding.condition == .busy && finding.text.contains("agetty (process 812)"))
        #expect(finding.remedy?.contains("serial-getty@ttyS0.service") == true)
        #expect(finding.remedy?.contains("kill") == false)
        evidence.name = "/dev/serial0"
        #expect(
            try Self.error(evidence).remedy?.hasSuffix(" (`readlink /dev/serial0` shows TTY)")
                == true)
    }

    @Test(arguments: [
        DeviceError.Detail.heldBy(program: "gpsbridge serve", processID: 812),
        .probablyHeldBy(server: "gpsbridge serve"),
    ])
    func `a receiver that the service has open gets the advice to read the service`(
        _ detail: DeviceError.Detail
    ) throws {
        var evidence = Self.receiver
        evidence.failure = DeviceError(.busy, device: Self.path, errno: EBUSY, detail: detail)
        let finding = try Self.error(evidence)
        #expect(finding.condition == .busy && finding.text.contains("gpsbridge serve"))
        #expect(finding.remedy?.contains("gpsbridge doctor gpsd://localhost") == true)
        #expect(finding.remedy?.contains("append :PORT") == true)
        // The socket would start the service again.
        #expect(finding.remedy?.contains("systemctl stop gpsbridge,") == false)
    }

    @Test(arguments: [("/dev/ttyAML0", "char-ttyAML rw"), ("/dev/gnss0", "char-gnss rw")])
    func `a service is shown the class of the device that it may not use`(
        _ name: String, _ remedy: String
    ) throws {
        var evidence = Evidence()
        evidence.name = name
        evidence.failure = DeviceError(.permissionDenied, device: name, errno: EPERM)
        #expect(try Self.error(evidence).remedy?.contains("DeviceAllow=\(remedy)") == true)
    }

    private static let path = "/dev/ttyACM0"

    /// A receiver to which no udev rule has been applied.
    private static var receiver: Evidence {
        var evidence = Evidence()
        evidence.name = path
        evidence.tty = Evidence.TTY(
            path: path, id: "1546:01a7", model: "u-blox 7", driver: "cdc_acm")
        return evidence
    }

    private static func error(_ evidence: Evidence) throws -> Finding {
        try #require(Diagnosis(evidence).findings.first { $0.level == .error })
    }
}

/// Run with `umockdev-wrapper swift test --filter DoctorHotplugTests`.
// One machine is simulated in a process.
@Suite(
    .serialized, .timeLimit(.generous),
    .enabled(if: Umockdev.isAvailable, "run this with umockdev-wrapper"))
struct DoctorHotplugTests {
    @Test func `a report has udev's properties, and another serial number`() async throws {
        let machine = Umockdev()
        var device = Umockdev.Device(
            vendor: "1546", product: "01a7", tty: "ttyACM7", number: 7, serialNumber: "AB12CD34")
        device.properties = ["ID_SERIAL=u-blox_AG_AB12CD34", "ID_SERIAL_SHORT=AB12CD34"]
        #expect(machine.plug(device))
        defer { machine.unplug(device) }
        let evidence = try await Examination(of: .serial("/dev/ttyACM7"), limit: 0.1).evidence()
        let text = String(decoding: DoctorReport(evidence).bytes, as: UTF8.self)
        #expect(text.contains("# udev: ID_SERIAL=u-blox_AG_serial-"), "\(text)")
        #expect(text.contains("# udev: DEVNAME=/dev/ttyACM7"))
        #expect(!text.contains("AB12CD34"))
    }

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
        evidence.line = LineAnalysis()
        let finding = try #require(Diagnosis(evidence).findings.last)
        #expect(finding.condition == .silent && finding.text.contains("a modem"))
        #expect(finding.remedy?.contains("--location-enable-gps-unmanaged") == true)
        #expect(finding.remedy?.contains("may then be /dev/ttyUSB0 or /dev/ttyUSB2") == true)
        #expect(finding.remedy?.contains("plug") == false)
    }

    @Test func `without a receiver, the next command is named`() throws {
        let remedy = try #require(Diagnosis(Evidence()).findings.first?.remedy)
        for command in ["gpsbridge doctor SOURCE", "gpsbridge monitor simulated"] {
            #expect(remedy.contains(command))
        }
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
        let diagnosis = Diagnosis(try await Examination(of: source).evidence())
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
        evidence.line = LineAnalysis()
        let finding = try #require(Diagnosis(evidence).findings.last)
        #expect(finding.condition == .silent)
        #expect(finding.remedy?.contains("wiring") == true)
        #expect(finding.remedy?.contains("plug") == false)
    }
}
