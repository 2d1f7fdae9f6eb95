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
}
