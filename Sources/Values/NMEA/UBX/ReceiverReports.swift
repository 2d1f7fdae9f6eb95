// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The receiver's latest reports that do not belong to an epoch, such as those of jamming, its antenna
/// and its temperature. Each sets a property of fixes.
///
/// A report is valid for ten seconds, and also for the next fix if that is at most two minutes later:
/// receivers send some reports at the end of an epoch, after its fix.
struct ReceiverReports: Sendable {
    /// How long a report is valid, in nanoseconds.
    private static let validity: Int64 = 10_000_000_000
    /// How long a report is valid for the next fix, in nanoseconds. u-blox chips measure at least
    /// every 65.5 seconds.
    private static let nextFixValidity: Int64 = 120_000_000_000

    /// Where a report comes from. A valid report of a later case takes precedence.
    enum Source: Comparable { case hardware, status, radio, security }

    private struct Report: Sendable {
        let property: any PartialKeyPath<Fix> & Sendable
        let source: Source
        /// The time of receipt in nanoseconds.
        let time: Int64
        /// Sets the property of a fix to the reported value.
        let describe: @Sendable (inout Fix) -> Void

        func hasValue(of other: Report) -> Bool {
            var (own, others) = (Fix(), Fix())
            describe(&own)
            other.describe(&others)
            return own == others
        }
    }

    /// The last report of each property from each source, in the order of the sources.
    private var reports: [Report] = []
    /// The time of the last fix whose properties were set; `nil` before the first.
    private var lastFix: Int64?

    /// Replaces the report of a property from a source; `nil` removes it. `clock` is the time of
    /// receipt in nanoseconds.
    mutating func set<Value: Sendable>(
        _ property: any WritableKeyPath<Fix, Value?> & Sendable, to value: Value?,
        from source: Source, at clock: Int64
    ) {
        reports.removeAll { $0.source == source && $0.property == property }
        guard let value else { return }
        let index = reports.firstIndex { $0.source > source } ?? reports.endIndex
        let report = Report(property: property, source: source, time: clock) {
            $0[keyPath: property] = value
        }
        reports.insert(report, at: index)
    }

    /// Sets the properties of a fix whose reports are still valid at the time `clock`, in nanoseconds.
    mutating func describe(_ fix: inout Fix, at clock: Int64) {
        for report in reports {
            let limit = isNew(report) ? Self.nextFixValidity : Self.validity
            if clock - report.time <= limit { report.describe(&fix) }
        }
        lastFix = clock
    }

    /// Returns whether a report was received since the last fix, or in its epoch: the clock advances
    /// only between epochs.
    private func isNew(_ report: Report) -> Bool { lastFix.map { report.time >= $0 } ?? true }

    /// Returns whether both set the same properties of a fix, now and later. `clock` and `otherClock`
    /// are their current times in nanoseconds.
    func hasSameState(with other: Self, _ clock: Int64, _ otherClock: Int64) -> Bool {
        reports.elementsEqual(other.reports) { own, others in
            own.property == others.property && own.source == others.source
                && own.hasValue(of: others)
                && clock - own.time == otherClock - others.time
                && isNew(own) == other.isNew(others)
        }
    }
}

extension FixAssembler {
    /// Sets a property of the next fixes to a reported value; `nil` ends an earlier report from the
    /// same source.
    mutating func report<Value: Sendable>(
        _ property: any WritableKeyPath<Fix, Value?> & Sendable, _ value: Value?,
        from source: ReceiverReports.Source = .hardware
    ) {
        reports.set(property, to: value, from: source, at: satellites.clock)
    }
}

// u-blox numbers the states from 1; 0 is unknown. Firmware with `SEC-SIG` reports 0 in `MON-RF`, and some
// firmware never sets the state at all.

extension JammingState {
    fileprivate init?(_ state: UBXJammingState) { self.init(number: Double(state.rawValue) - 1) }
}

extension SpoofingState {
    init?(_ state: UBXSpoofingState) { self.init(number: Double(state.rawValue) - 1) }
}

extension AntennaState {
    /// Creates a state; `nil` if the receiver does not know it, because its board has no supervisor.
    fileprivate init?(_ state: UBXAntennaState) {
        switch state {
        case .ok: self = .ok
        case .open: self = .open
        case .short: self = .short
        default: return nil
        }
    }
}

/// Returns a gain, 0 to 8191, as a fraction of the maximum.
private func fraction(_ gain: UInt16) -> Float { min(1, Float(gain) / 8191) }

extension SecSIG: EpochMessage {
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        var reader = UBXReader(leavingOutListOf: frame.payload)
        var message = Self()
        reader.read(&message)
        var jammed: UInt32?
        for _ in 0..<reader.listCount {
            var frequency = Frequency()
            reader.read(&frequency)
            if jammed == nil, frequency.isJammed { jammed = frequency.kilohertz }
        }
        guard !reader.isMalformed else { return false }
        assembler.report(\.jamming, JammingState(message.jamming), from: .security)
        assembler.report(\.spoofing, SpoofingState(message.spoofing), from: .security)
        let hertz = jammed?.multipliedReportingOverflow(by: 1000)
        assembler.report(\.jammedFrequency, hertz.flatMap { $1 ? nil : $0 })
        return true
    }
}

extension SecOSNMA: EpochMessage {
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        guard let message = Self(frame) else { return false }
        let state: FixAuthentication.State =
            message.isKeyWrong || message.hasWrongData
            ? .failed : message.authenticatedSatellites > 0 ? .authenticated : .unknown
        assembler.report(\.receiverAuthentication, message.isOn ? state : nil)
        return true
    }
}

extension MonHW: EpochMessage {
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        var reader = UBXReader(leavingOutListOf: frame.payload)
        var message = Self()
        reader.read(&message)
        guard !reader.isMalformed else { return false }
        assembler.report(\.jamming, JammingState(message.flags.jamming))
        assembler.report(\.interferenceLevel, message.continuousWave)
        assembler.report(\.gain, fraction(message.gain))
        assembler.report(\.antenna, AntennaState(message.antenna))
        return true
    }
}

extension MonSYS: EpochMessage {
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        guard let message = MonSYS(frame) else { return false }
        // Firmware that does not measure it, such as HPG 2.00, sends 0.
        assembler.report(\.temperature, message.temperature == 0 ? nil : message.temperature)
        return true
    }
}

extension MonRF: EpochMessage {
    /// Stores the worst jamming state of all bands (`MON-RF`). Returns `false` if the frame is
    /// malformed.
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        var reader = UBXReader(leavingOutListOf: frame.payload)
        var message = Self()
        reader.read(&message)
        guard !reader.isMalformed, let layout = message.layout(ofListIn: reader) else {
            return false
        }
        var state: JammingState?
        var level: UInt8?
        var gain: UInt16?
        var antenna: AntennaState?
        for _ in 0..<reader.listCount {
            var block = layout
            reader.read(&block)
            // The states are listed by severity.
            if let own = JammingState(block.jamming), own.number >= state?.number ?? 0 {
                state = own
            }
            let own = block.isCompact ? block.suppression : block.continuousWave
            level = max(level ?? 0, own)
            // The gain of the first band (L1) is used, because all constellations have signals in
            // it.
            if block.number == 0 { gain = block.gain }
            // A fault has the higher number.
            if let own = AntennaState(block.antenna), own.number > antenna?.number ?? 0 {
                antenna = own
            }
        }
        guard !reader.isMalformed else { return false }
        assembler.report(\.jamming, state, from: .radio)
        if let level { assembler.report(\.interferenceLevel, level) }
        if let gain { assembler.report(\.gain, fraction(gain)) }
        assembler.report(\.antenna, antenna)
        return true
    }
}
