// SPDX-License-Identifier: MIT
import Foundation
import GPSBridge
import GPSReceivers
import GPSTestSupport
import Testing

@Suite(.timeLimit(.generous))
struct LocationErrorTests {
    @Test func `the description of an error is its code and its localized description`() {
        let cause = DeviceError(.permissionDenied, device: "/dev/ttyACM0")
        let errors: [(name: String, error: any Error)] = [
            ("denied", LocationError(.denied, cause: cause)),
            ("locationUnknown", LocationError(.locationUnknown)),
            ("deviceUnavailable", LocationError(.deviceUnavailable, cause: cause)),
            ("timedOut", LocationError(.timedOut)), ("ended", LocationError(.ended)),
            ("7", LocationError(LocationError.Code(rawValue: 7))),
        ]
        for (name, error) in errors {
            #expect("\(error)" == "\(name): \(error.localizedDescription)")
            #expect((error as? LocationError).map { "\($0.code)" } == name)
        }
        #expect(errors[0].error.localizedDescription.contains("/dev/ttyACM0"))
        #expect("\(cause)" == (cause as any Error).localizedDescription)
        #expect("\(cause.code)" == "permissionDenied")
    }

    @Test func `catch selects errors by their code`() {
        func kind(_ error: any Error) -> String {
            do {
                throw error
            } catch LocationError.denied {
                return "denied"
            } catch LocationError.timedOut, LocationError.ended {
                return "over"
            } catch {
                return "other"
            }
        }
        #expect(kind(LocationError(.denied)) == "denied")
        #expect(kind(LocationError(.ended)) == "over")
        #expect(kind(LocationError(.locationUnknown)) == "other")
        #expect(kind(DeviceError(.ended, device: "a")) == "other")
    }

    @Test func `errors of promises and proxies have a localized description`() {
        let promise: any Error = PromiseError(.timedOut)
        #expect(promise.localizedDescription == "timed out")
        let delegation: any Error = DelegationError(.noFactory, "Player")
        #expect(delegation.localizedDescription == "no proxy is registered for the host: Player")
    }
}
