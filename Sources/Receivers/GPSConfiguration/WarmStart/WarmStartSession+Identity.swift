// SPDX-License-Identifier: MIT
import GNSS
import UBX

extension WarmStartSession {
    /// The first protocol version with `MGA` messages (generation M8).
    private static let firstProtocol = 15.0

    mutating func didIdentify(_ outcome: Exchange.Outcome, at now: MonotonicInstant) {
        guard case .accepted(let messages) = outcome,
            let identity = messages.lazy.compactMap(IdentityDetector.identity).first,
            (identity.protocolVersion ?? 0) >= Self.firstProtocol,
            let version = outcome.answer(MonVER.self)
        else { return finish(.failed(.unsupported)) }
        usesKeys = identity.family == .ublox
        model = identity.model
        firmware = ([version.software, version.hardware] + version.extensions.map(\.text))
            .joined(separator: "; ")
        ask(.number, Exchange(UBXFrame.bytes(SecUNIQID.id, payload: [])), at: now)
    }

    mutating func didReadNumber(_ outcome: Exchange.Outcome, at now: MonotonicInstant) {
        if let number = outcome.answer(SecUNIQID.self)?.identity, !number.isEmpty {
            let digits = number.map { TextLine.hexadecimal($0) }.joined()
            receiver = WarmStartReceiver(name: "ublox-\(digits)", firmware: firmware)
        } else if let usbSerialNumber, !usbSerialNumber.isEmpty {
            receiver = WarmStartReceiver(
                name: "\(model)-usb-\(usbSerialNumber)", firmware: firmware)
        } else {
            return finish(.failed(.notIdentified))
        }
        guard purpose != .identify else { return load() }
        ask(.solution, Exchange(UBXFrame.bytes(NavPVT.id, payload: [])), at: now)
    }

    mutating func didReadSolution(_ outcome: Exchange.Outcome, at now: MonotonicInstant) {
        guard let solution = outcome.answer(NavPVT.self) else {
            return finish(.failed(.interrupted))
        }
        self.solution = solution
        checkRate(at: now)
        if purpose == .restore {
            return hasFix ? finish(.failed(.hasFix)) : load()
        }
        guard let receiver, let position = solution.warmStartPosition, let time = solution.time
        else { return finish(.failed(.noFix)) }
        // If the receiver is being spoofed, its wrong data must not be sent back at the next start.
        if let clock = clock(),
            abs(time.seconds(since: clock.time)) > WarmStartPlan.tolerance + clock.maximumError
        {
            return finish(.failed(.timesDiffer))
        }
        data = WarmStartData(receiver: receiver, time: time, position: position)
        load()
    }

    /// Detects a line that is faster than its baud rate: it is USB or a pseudo terminal, so its
    /// baud rate is meaningless.
    private mutating func checkRate(at now: MonotonicInstant) {
        guard let rate = line.baudRate, let start else { return }
        let time = Double(receivedCount) * 10 / Double(rate)
        guard time > 3 * now.seconds(since: start) + 0.1 else { return }
        line = ConfigurationLine(baudRate: nil, isNativeUSB: true)
    }

    private mutating func load() {
        guard let receiver else { return finish(.failed(.notIdentified)) }
        phase = .loading
        outputs.append(.load(receiver))
    }
}
