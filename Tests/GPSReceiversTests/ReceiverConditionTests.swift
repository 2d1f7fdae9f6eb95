// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous))
struct ReceiverModelTests {
    private let denied = DeviceError(.permissionDenied, device: "/dev/ttyACM0")
    private let missing = DeviceError(.notFound, device: "/dev/ttyACM0")
    private let gone = DeviceError(.disconnected, device: "/dev/ttyACM0")

    private func waiting(_ error: DeviceError) -> ReceiverUpdate {
        .condition(.waiting(error), after: .searching)
    }

    private func opened(_ name: String, after former: ReceiverCondition) -> ReceiverUpdate {
        .condition(.open(device: name, problem: nil), after: former)
    }

    @Test func `a named tty that is missing or denied is an immediate error`() {
        for error in [denied, missing] {
            var receiver = ReceiverModel(SerialSource("/dev/ttyACM0"), .whenUseful)
            #expect(receiver.receive(waiting(error)) == .failure(error))
        }
    }

    @Test
    func `a missing receiver is waited for, a denied one is an error`() {
        var receiver = ReceiverModel(FirstReceiverSource(), .whenUseful)
        let nothing = DeviceError(.noReceiver, device: "any receiver")
        #expect(
            receiver.receive(waiting(nothing))
                == .message("no receiver is plugged in: waiting for one"))
        #expect(receiver.receive(waiting(nothing)) == nil, "each cause is reported once")
        // The node exists before its permissions are set.
        #expect(receiver.receive(waiting(denied)) == .message("waiting: \(denied)"))
        #expect(
            receiver.receive(opened("/dev/ttyACM0", after: .waiting(denied)))
                == .message("reading /dev/ttyACM0"))
        var other = ReceiverModel(FirstReceiverSource(), .whenUseful)
        #expect(other.receive(waiting(denied)) == .failure(denied))
    }

    @Test func `a receiver that was open before is waited for, and its return is reported`() {
        var receiver = ReceiverModel(SerialSource("/dev/ttyACM0"), .whenUseful)
        #expect(receiver.receive(opened("/dev/ttyACM0", after: .searching)) == nil)
        #expect(
            receiver.receive(.condition(.lost(gone), after: .open(device: "", problem: nil)))
                == .message("/dev/ttyACM0 is gone: waiting for it to come back"))
        #expect(receiver.receive(waiting(denied)) == .message("waiting: \(denied)"))
        #expect(
            receiver.receive(opened("/dev/ttyACM0", after: .waiting(denied)))
                == .message("/dev/ttyACM0 is back"))
    }

    @Test func `servers wait after every error, and log opened devices`() {
        var receiver = ReceiverModel(SerialSource("/dev/ttyACM0"), .always)
        receiver.isLog = true
        #expect(receiver.receive(waiting(denied)) == .message("waiting: \(denied)"))
        #expect(
            receiver.receive(opened("/dev/ttyACM0", after: .waiting(denied)))
                == .message("reading /dev/ttyACM0"))
        #expect(receiver.receive(.notice(.tryingRate(LineSettings(.default)))) == nil)
        let end = ReceiverCondition.Ending(Statistics(), nil)
        #expect(
            receiver.receive(.condition(.ended(end), after: .searching))
                == .message("/dev/ttyACM0 has ended"))
    }

    @Test func `a gpsd address used as tcp ends interactive commands, not servers`() {
        let gpsd = DeviceError(.gpsd, device: "tcp://boat:2947")
        let lost = ReceiverUpdate.condition(.lost(gpsd), after: .searching)
        let source = TCPSource(host: "boat", port: 2947)
        for policy in [WaitPolicy.whenUseful, .alongsideOthers] {
            var receiver = ReceiverModel(source, policy)
            #expect(receiver.receive(lost) == .failure(gpsd))
        }
        var server = ReceiverModel(source, .always)
        #expect(server.receive(lost) == .message("\(gpsd)"))
    }
}

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
