// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct WaitPolicyTests {
    private static let policies = [
        WaitPolicy.always, .alongsideOthers, .whenUseful, .unlessDenied, .whileMissing,
    ]

    private let tty = SerialSource("/dev/ttyACM0")
    private let any = FirstReceiverSource()

    private func waits(
        _ policy: WaitPolicy, _ source: any DeviceSource, _ code: DeviceError.Code,
        wasUsable: Bool = false
    ) -> Bool {
        let error = DeviceError(code, device: source.name)
        return policy.failure(in: .waiting(error), of: source, wasUsable: wasUsable) == nil
    }

    @Test(arguments: policies)
    func `every policy waits for a receiver that was usable`(_ policy: WaitPolicy) {
        for code in [DeviceError.Code.notFound, .permissionDenied, .busy] {
            #expect(waits(policy, tty, code, wasUsable: true))
        }
    }

    @Test func `the first failure to open decides by its cause and the source`() {
        for code in [DeviceError.Code.notFound, .noReceiver, .permissionDenied, .busy] {
            #expect(waits(.always, tty, code))
            #expect(waits(.alongsideOthers, tty, code))
            #expect(!waits(.whenUseful, tty, code))
            #expect(waits(.whenUseful, any, code) == (code != .permissionDenied))
            #expect(waits(.unlessDenied, tty, code) == (code != .permissionDenied))
            #expect(waits(.whileMissing, tty, code) == (code == .notFound || code == .noReceiver))
        }
    }

    @Test(arguments: policies)
    func `an open or lost receiver is no failure`(_ policy: WaitPolicy) {
        let gone = DeviceError(.disconnected, device: tty.name)
        for condition in [
            ReceiverCondition.searching, .open(device: tty.name, problem: gone),
            .silent(device: tty.name, seconds: 10), .lost(gone),
        ] {
            #expect(policy.failure(in: condition, of: tty, wasUsable: false) == nil)
        }
    }
}
