// SPDX-License-Identifier: MIT

/// Hears a line whose rate is not known: the scan and its judges. It knows no clock.
package struct LineListener: Sendable {
    /// The settings at which the line is read now.
    package private(set) var settings: LineSettings
    /// How often all rates have been tried in vain.
    package var roundCount: Int { scan?.round ?? 0 }
    /// Whether the settings are known to be right.
    package var hasFound: Bool { scan == nil }

    /// Whether the line was heard, but not understood, at another rate before.
    package private(set) var hasHeardNoise = false

    private let rates: [BaudRate]
    private let makeJudge: LineJudgeMaker
    private var scan: RateScan?
    private var judge: any LineJudge
    /// Hears the same without the eighth bit: 7N2 read as 8N1 has it set in every byte.
    private var sevenBitJudge: any LineJudge

    /// Listens at the rates in turn, the first of them first.
    package init(
        _ rates: [BaudRate], judgedBy makeJudge: @escaping LineJudgeMaker,
        at now: ContinuousClock.Instant
    ) {
        settings = LineSettings(rates.first ?? .default)
        self.rates = rates
        self.makeJudge = makeJudge
        scan = RateScan(rates, at: now)
        judge = makeJudge()
        sevenBitJudge = makeJudge()
    }

    /// When to call `silence(at:)` if no bytes come before.
    package var deadline: ContinuousClock.Instant? { scan?.deadline }

    /// Judges bytes; returns them as they are meant, and what is to be done.
    package mutating func hear(
        _ bytes: [UInt8], at now: ContinuousClock.Instant
    ) -> (bytes: [UInt8], step: RateScan.Step) {
        guard scan != nil else { return (meant(bytes), .stay) }
        let sense = judge.hear(bytes)
        let sevenBits = bytes.map { $0 & 0x7F }
        let sevenBitSense = sevenBitJudge.hear(sevenBits)
        if sevenBitSense.messages > sense.messages { settings.format = .sevenN2 }
        let isSevenBit = settings.format == .sevenN2 || bytes.allSatisfy { $0 >= 0x80 }
        let step = scan?.heard(
            bytes.count, textCount: (isSevenBit ? sevenBits : bytes).count(where: \.isText),
            isSevenBit ? sevenBitSense : sense, at: now)
        return (meant(bytes), take(step))
    }

    /// Takes note that no bytes have come; returns what is to be done.
    package mutating func silence(at now: ContinuousClock.Instant) -> RateScan.Step {
        guard scan != nil else { return .stay }
        return take(scan?.silence(judge.silence(), at: now))
    }

    /// Begins again with the same rates, the present one first; does nothing while it is still being
    /// searched.
    package mutating func listenAgain(at now: ContinuousClock.Instant) {
        guard scan == nil else { return }
        let present = settings.baudRate
        self = LineListener(
            [present] + rates.filter { $0 != present }, judgedBy: makeJudge, at: now)
    }

    private mutating func take(_ step: RateScan.Step?) -> RateScan.Step {
        switch step {
        case .found:
            hasHeardNoise = scan?.hasHeardNoise ?? false
            scan = nil
        case .change(let baudRate):
            settings = LineSettings(baudRate)
            judge = makeJudge()
            sevenBitJudge = makeJudge()
        case .stay, nil: break
        }
        return step ?? .stay
    }

    private func meant(_ bytes: [UInt8]) -> [UInt8] {
        settings.format == .sevenN2 ? bytes.map { $0 & 0x7F } : bytes
    }
}

extension UInt8 {
    /// Whether it stands in text: printable, or of a line end.
    package var isText: Bool { self >= 0x20 && self < 0x7F || self == 0x0D || self == 0x0A }
}
