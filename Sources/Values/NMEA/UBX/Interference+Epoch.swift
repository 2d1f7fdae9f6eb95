// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The receiver's latest reports of jamming, spoofing, gain, its antenna and temperature. They do not belong to an epoch.
/// Each is valid for ten seconds, and also for the next fix if that is at most two minutes later:
/// receivers send some reports at the end of an epoch, after its fix.
///
/// Firmware with `SEC-SIG` reports 0 in `MON-RF`, and some firmware never sets the state at all.
/// Therefore, 0 always means unknown, and a state from `SEC-SIG` has priority.
struct InterferenceReports: Equatable, Sendable {
    private struct TimedValue<Value: Equatable & Sendable>: Equatable, Sendable {
        var value: Value
        var time: Int64
    }

    /// How long a report is valid, in nanoseconds.
    private static let validity: Int64 = 10_000_000_000
    /// How long a report is valid for the next fix, in nanoseconds. u-blox chips measure at least
    /// every 65.5 seconds.
    private static let nextFixValidity: Int64 = 120_000_000_000

    private var securityJamming: TimedValue<JammingState>?
    private var securitySpoofing: TimedValue<SpoofingState>?
    private var radioJamming: TimedValue<JammingState>?
    private var hardwareJamming: TimedValue<JammingState>?
    private var statusSpoofing: TimedValue<SpoofingState>?
    private var level: TimedValue<UInt8>?
    private var jammedFrequency: TimedValue<UInt32>?
    private var gain: TimedValue<Float>?
    private var antenna: TimedValue<AntennaState>?
    private var temperature: TimedValue<Int8>?
    private var authentication: TimedValue<FixAuthentication.State>?
    /// The time of the last fix whose values were set; `nil` before the first.
    private var lastFix: Int64?

    /// Returns whether both values set the same properties of a fix, now and later. `clock` and
    /// `otherClock` are their current times in nanoseconds.
    func hasSameState(with other: Self, _ clock: Int64, _ otherClock: Int64) -> Bool {
        func isSame<Value>(_ path: KeyPath<Self, TimedValue<Value>?>) -> Bool {
            guard let own = self[keyPath: path], let others = other[keyPath: path] else {
                return self[keyPath: path] == nil && other[keyPath: path] == nil
            }
            return own.value == others.value && clock - own.time == otherClock - others.time
                && isNew(own.time) == other.isNew(others.time)
        }
        return isSame(\.securityJamming) && isSame(\.securitySpoofing) && isSame(\.radioJamming)
            && isSame(\.hardwareJamming) && isSame(\.statusSpoofing) && isSame(\.level)
            && isSame(\.jammedFrequency) && isSame(\.gain) && isSame(\.antenna)
            && isSame(\.temperature) && isSame(\.authentication)
    }

    /// Returns whether a report of this time was received since the last fix, or in its epoch:
    /// `clock` advances only between epochs.
    private func isNew(_ time: Int64) -> Bool { lastFix.map { time >= $0 } ?? true }

    mutating func spoofing(_ state: UBXSpoofingState, at clock: Int64) {
        statusSpoofing = SpoofingState(state).map { TimedValue(value: $0, time: clock) }
    }

    /// Stores the report of a `SEC-SIG` message. `jammed` is the first jammed frequency in
    /// kilohertz, if any. `clock` is the time of receipt in nanoseconds.
    fileprivate mutating func security(_ message: SecSIG, jammed: UInt32?, at clock: Int64) {
        securityJamming = JammingState(message.jamming).map { TimedValue(value: $0, time: clock) }
        securitySpoofing = SpoofingState(message.spoofing).map {
            TimedValue(value: $0, time: clock)
        }
        jammedFrequency = jammed.flatMap {
            let (hertz, isTooHigh) = $0.multipliedReportingOverflow(by: 1000)
            return isTooHigh ? nil : TimedValue(value: hertz, time: clock)
        }
    }

    /// Stores the chip's own check of Galileo's signatures.
    fileprivate mutating func signatures(_ message: SecOSNMA, at clock: Int64) {
        let state: FixAuthentication.State =
            message.isKeyWrong || message.hasWrongData
            ? .failed : message.authenticatedSatellites > 0 ? .authenticated : .unknown
        authentication = message.isOn ? TimedValue(value: state, time: clock) : nil
    }

    fileprivate mutating func radio(
        _ state: JammingState?, level: UInt8?, gain: UInt16?, antenna: AntennaState?,
        at clock: Int64
    ) {
        radioJamming = state.map { TimedValue(value: $0, time: clock) }
        if let level { self.level = TimedValue(value: level, time: clock) }
        if let gain { self.gain = TimedValue(value: Self.fraction(gain), time: clock) }
        self.antenna = antenna.map { TimedValue(value: $0, time: clock) }
    }

    fileprivate mutating func hardware(_ message: MonHW, at clock: Int64) {
        hardwareJamming = JammingState(message.flags.jamming).map {
            TimedValue(value: $0, time: clock)
        }
        level = TimedValue(value: message.continuousWave, time: clock)
        gain = TimedValue(value: Self.fraction(message.gain), time: clock)
        antenna = AntennaState(message.antenna).map { TimedValue(value: $0, time: clock) }
    }

    fileprivate mutating func system(_ message: MonSYS, at clock: Int64) {
        // Firmware that does not measure it, such as HPG 2.00, sends 0.
        temperature =
            message.temperature == 0 ? nil : TimedValue(value: message.temperature, time: clock)
    }

    /// Returns a gain, 0 to 8191, as a fraction of the maximum.
    private static func fraction(_ gain: UInt16) -> Float { min(1, Float(gain) / 8191) }

    /// Sets the values of the fix from the reports that are still valid at the time `clock`, in
    /// nanoseconds.
    mutating func describe(_ fix: inout Fix, at clock: Int64) {
        func current<Value>(_ report: TimedValue<Value>?) -> Value? {
            guard let report else { return nil }
            let limit = isNew(report.time) ? Self.nextFixValidity : Self.validity
            return clock - report.time <= limit ? report.value : nil
        }
        fix.jamming =
            current(securityJamming) ?? current(radioJamming) ?? current(hardwareJamming)
        fix.spoofing = current(securitySpoofing) ?? current(statusSpoofing)
        fix.interferenceLevel = current(level)
        fix.jammedFrequency = current(jammedFrequency)
        fix.gain = current(gain)
        fix.antenna = current(antenna)
        fix.temperature = current(temperature)
        fix.receiverAuthentication = current(authentication)
        lastFix = clock
    }
}

// u-blox numbers the states from 1; 0 is unknown.

extension JammingState {
    fileprivate init?(_ state: UBXJammingState) { self.init(number: Double(state.rawValue) - 1) }
}

extension SpoofingState {
    fileprivate init?(_ state: UBXSpoofingState) { self.init(number: Double(state.rawValue) - 1) }
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
        assembler.interference.security(message, jammed: jammed, at: assembler.satellites.clock)
        return true
    }
}

extension SecOSNMA: EpochMessage {
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        guard let message = Self(frame) else { return false }
        assembler.interference.signatures(message, at: assembler.satellites.clock)
        return true
    }
}

extension MonHW: EpochMessage {
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        var reader = UBXReader(leavingOutListOf: frame.payload)
        var message = Self()
        reader.read(&message)
        guard !reader.isMalformed else { return false }
        assembler.interference.hardware(message, at: assembler.satellites.clock)
        return true
    }
}

extension MonSYS: EpochMessage {
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        guard let message = MonSYS(frame) else { return false }
        assembler.interference.system(message, at: assembler.satellites.clock)
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
        assembler.interference.radio(
            state, level: level, gain: gain, antenna: antenna, at: assembler.satellites.clock)
        return true
    }
}
