// SPDX-License-Identifier: MIT
import CoreLocation
import GPSBridge
import GPSReceivers
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct CLErrorTests {
    private func caught(_ error: any Error) -> String {
        do {
            throw error
        } catch CLError.denied {
            return "denied"
        } catch let error as CLError where error.code == .network {
            return "network"
        } catch {
            return "other"
        }
    }

    @Test func `an error is caught by its code`() {
        #expect(caught(CLError(.denied)) == "denied")
        #expect(caught(CLError(.network)) == "network")
        #expect(caught(CancellationError()) == "other")
        let error: any Error = CLError(.denied)
        #expect(error._code == 1 && error._domain == kCLErrorDomain)
        #expect((error as NSError).code == CLError.denied.rawValue)
        #expect((error as? CLError)?.errorCode == 1)
        if case CLError.denied = error {} else { Issue.record("is not matched by a pattern") }
    }

    @Test func `an error has a description in words`() {
        let error = CLError(
            .denied, userInfo: [NSLocalizedDescriptionKey: "the receiver may not be opened"])
        #expect((error as any Error).localizedDescription == "the receiver may not be opened")
        #expect(error.localizedDescription == "the receiver may not be opened")
        #expect(error == error && error != CLError(.denied) && error.alternateRegion == nil)
        #expect(!(CLError(.network) as any Error).localizedDescription.isEmpty)
    }

    @Test func `an error survives conversion to NSError`() {
        let error: any Error = CLError(.headingFailure, userInfo: [NSLocalizedDescriptionKey: "no"])
        let back = CLError(_nsError: error as NSError)
        #expect(back == error as? CLError && back._nsError.domain == kCLErrorDomain)
    }

    @Test func `an NSError of the same domain is caught as a CLError, as in mocks`() {
        let error: any Error = NSError(
            domain: kCLErrorDomain, code: CLError.denied.rawValue,
            userInfo: [NSLocalizedDescriptionKey: "no"])
        #expect(caught(error) == "denied")
        #expect((error as? CLError)?.localizedDescription == "no")
        let network: any Error = CLError(.network)
        #expect(caught(network as NSError) == "network")
    }

    @Test func `an NSError of another domain or with an unknown code is not a CLError`() {
        let other: any Error = NSError(domain: NSCocoaErrorDomain, code: CLError.denied.rawValue)
        let unknown: any Error = NSError(domain: kCLErrorDomain, code: 20)
        #expect(caught(other) == "other" && caught(unknown) == "other")
        #expect(other as? CLError == nil && unknown as? CLError == nil)
    }

    @Test func `codes have Apple's raw values`() {
        #expect(CLError.Code.promptDeclined.rawValue == 18 && CLError.Code(rawValue: 20) == nil)
        #expect(CLError.headingFailure.rawValue == 3 && CLError.rangingUnavailable.rawValue == 16)
    }
}
