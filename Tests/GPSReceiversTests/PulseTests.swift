// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct PulseDeviceTests {
    @Test(arguments: [
        ("/dev/pps250", DeviceError(.disconnected, device: "/dev/pps250")),
        ("/dev/null", DeviceError(.ioFailed, device: "/dev/null", errno: ENOTTY)),
    ])
    func `a device that can no longer be read is reported`(
        path: String, error: DeviceError
    ) async throws {
        let device = PulseDevice(path, descriptor: open("/dev/null", O_RDONLY | O_CLOEXEC))
        let failures = Witness<DeviceError>()
        try device.start({ _ in }, onFailure: { failures.note($0) })
        #expect(await failures.first(1) == [error])
    }
}
