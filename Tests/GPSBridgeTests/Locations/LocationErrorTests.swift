// SPDX-License-Identifier: MIT
import Foundation
import GPSBridge
import GPSReceivers
import GPSTestSupport
import Testing

@Suite(.timeLimit(.generous))
struct LocationErrorTests {
    @Test func `the localized description of an error is its description`() {
        let cause = DeviceError(.permissionDenied, device: "/dev/ttyACM0")
        let errors: [any Error] = [
            cause, LocationError(.denied, cause: cause), LocationError(.timedOut),
        ]
        for error in errors { #expect(error.localizedDescription == "\(error)") }
        #expect(errors[1].localizedDescription.contains("/dev/ttyACM0"))
    }

    @Test func `errors of promises and proxies have a localized description`() {
        let promise: any Error = PromiseError(.timedOut)
        #expect(promise.localizedDescription == "timed out")
        let delegation: any Error = DelegationError(.noFactory, "Player")
        #expect(delegation.localizedDescription == "no proxy is registered for the host: Player")
    }
}
