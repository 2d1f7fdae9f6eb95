// SPDX-License-Identifier: MIT
import GPSBridgeCLI
import GPSReceivers
import GPSTestTraits
import Glibc
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

    @Test(arguments: [
        ([] as [String], "sudo make install in gpsbridge's folder, then plug it in again"),
        (
            ["/usr/lib/udev/rules.d/70-gpsbridge.rules"],
            "sudo udevadm control --reload, then plug it in again"
        ),
    ])
    func `rules that are installed, as by the package, are to be applied, not installed`(
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

    @Test func `a line to which no rule applies is not to be fixed by the rules`() throws {
        var evidence = Evidence()
        evidence.name = "/dev/ttyAMA0"
        evidence.failure = DeviceError(.permissionDenied, device: "/dev/ttyAMA0", errno: EACCES)
        let remedy = "sudo chgrp dialout /dev/ttyAMA0 && sudo chmod 660 /dev/ttyAMA0"
        #expect(try Self.error(evidence).remedy == remedy)
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
