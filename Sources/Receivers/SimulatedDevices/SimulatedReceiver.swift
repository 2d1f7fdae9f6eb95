// SPDX-License-Identifier: MIT
public import GNSS
package import GNSSAuthentication
import GPSConfiguration
public import GPSReceivers
import Synchronization
import UBX

/// A simulated receiver that is read epoch by epoch. The same seed gives the same bytes on any
/// machine.
///
/// ```swift
/// var configuration = SimulatedReceiver.Configuration()
/// configuration.personality = .ublox8
/// var receiver = SimulatedReceiver(configuration)
/// let epoch = receiver.next()
/// decoder.push(epoch.bytes.span) { … }
/// epoch.truth.state.coordinate        // the true position
/// ```
///
/// All epochs are marked as simulated: mode `S`, and GGA quality 8, unless it says that RTK is float or
/// fixed. UBX messages have no field for this. Therefore each epoch with UBX contains an
/// `INF-NOTICE` with a text, and `MON-VER` contains `SIMULATED`.
public struct SimulatedReceiver: Sendable {
    let configuration: Configuration
    let start: UTCTime
    private var faults: FaultScript
    private var observer: Observer
    var writer: CycleWriter
    private var ubxWriter: UBXCycleWriter?
    var line: FaultyLine
    private var epoch = 0

    // The following properties can be changed by commands, or are needed to execute them.

    private var schedule: EpochSchedule
    var control: (any ReceiverControl)?
    /// The settings of `control` that are in effect; `nil` for a receiver without commands.
    var settings: ReceiverSettings?
    /// Uses corrections that a program sends; `nil` for a receiver without RTK.
    private var corrections: CorrectionEngine?
    /// The corrections that a base sends in addition to its sentences; `nil` for other receivers.
    private var base: BaseStation?
    private var commandRandom: SeededGenerator
    /// Whether the receiver sends epochs. A UBX command can stop them.
    var isRunning = true
    /// The time until which nothing is sent after a reset, in seconds after the first epoch.
    private var silentUntil = -Double.infinity
    /// Whether the next epoch begins with the start-up texts.
    private var announcesStart = true
    /// `nil` while the power is on; otherwise whether the battery-backed memory is kept.
    private var outage: Bool?
    private var lastSeconds = 0.0
    private var lastObservation: SimulatedObservation?

    /// Creates a receiver. The first epoch is at the configuration's start or, if that is `nil`,
    /// `seconds` after 1 January 1970. The default does not depend on the current time, so the same
    /// seed gives the same bytes.
    ///
    /// The start is limited to 1980 to 2079, because years in sentences have two digits.
    public init(_ configuration: Configuration, startingAt seconds: Int64 = defaultStart) {
        let personality = configuration.personality
        start = Self.time(secondsSince1970: seconds, configured: configuration.start)
        self.configuration = configuration
        schedule = EpochSchedule(rate: configuration.effectiveRate)
        faults = configuration.faults
        observer = Observer(configuration.observed(from: start))
        writer = CycleWriter(personality)
        let signatures = configuration.testKey.map { [start] in
            SimulatedSignatures($0, from: start, seed: configuration.seed)
        }
        ubxWriter = UBXCycleWriter(
            personality, configuration.errors, seed: configuration.seed, signatures)
        commandRandom = SeededGenerator(seed: configuration.seed ^ 0xC0_44A2D)
        line = FaultyLine(
            configuration.faults, seed: configuration.seed,
            baudRate: configuration.baudRate ?? personality.baudRate,
            isUSB: configuration.isUSB)
        control = personality.chip.map { chip in
            UBXControl(chip, configuration, identity: ubxWriter?.identity?.identity ?? [])
        }
        if let dialect = personality.dialect {
            control = CommandControl(dialect, configuration)
        }
        settings = control?.settings
        corrections = personality.hasRTK ? CorrectionEngine() : nil
        base = personality.base.map(BaseStation.init)
    }

    /// The default start, 2026-03-21T12:00:00Z, in seconds since 1 January 1970.
    public static let defaultStart: Int64 = 1_774_094_400

    /// The time of the next epoch, in seconds after the first one. Faults may delay its bytes.
    package var due: Double { schedule.due }

    /// The time between epochs in seconds.
    var period: Double { 1 / schedule.rate }

    /// The current baud rate, which commands can change; `nil` for USB or a receiver without
    /// commands.
    var lineRate: BaudRate? { settings?.baudRate.flatMap(BaudRate.init) }

    /// Simulates the next epoch and returns it. The first one begins with the start-up sentences.
    public mutating func next() -> SimulatedEpoch {
        defer { epoch += 1 }
        let seconds = due
        schedule.advance()
        updatePower(at: seconds)
        if !faults.faults.isEmpty { observer.disturbances = disturbances(at: seconds) }
        var observation = observer.observe(after: seconds)
        if let corrections {
            observation = corrections.corrected(
                observation, at: seconds, on: configuration.trajectory)
        }
        (lastSeconds, lastObservation) = (seconds, observation)
        let isSilent = seconds < silentUntil || !isRunning || isOff
        let output = line.send(isSilent ? [] : bytes(of: observation, after: seconds), at: seconds)
        return SimulatedEpoch(
            bytes: output.bytes, seconds: seconds, due: output.due,
            plug: isOff && configuration.isUSB ? .unplugged : output.plug,
            observation: observation,
            attacks: faults.faults.filter {
                $0.kind.attackName != nil && $0.isActive(at: seconds)
            })
    }

    private mutating func bytes(of observation: SimulatedObservation, after seconds: Double)
        -> [UInt8]
    {
        let (sentences, messages) = (settings?.sentences, settings?.messages)
        var startUp: [UInt8] = []
        if announcesStart {
            announcesStart = false
            let sendsText = sentences.map { !$0.isEmpty } ?? true
            if sendsText { writer.writeStartUp() }
            startUp = writer.bytes
            if let messages, !messages.isEmpty { startUp += ubxWriter?.startUp ?? [] }
        }
        writer.removeAll()
        let epoch = epoch
        writer.write(observation, after: seconds) { sentence in
            guard let sentences else { return true }
            return sentences[sentence].map { epoch.isMultiple(of: $0) } ?? false
        }
        writer.write(configuration.instruments, observation, after: seconds)
        let cycle = ubxWriter?.cycle(
            observation, after: seconds, observer.disturbances, sentences: writer.bytes
        ) { message in messages?[message].map { epoch.isMultiple(of: $0) } ?? false }
        return startUp + (cycle ?? writer.bytes)
            + (base?.messages(observation, after: seconds) ?? [])
    }

    /// Whether the configured power switch is off.
    private var isOff: Bool {
        outage != nil && configuration.supply.map { $0.state != .on } ?? false
    }

    // MARK: Faults of the receiver

    /// Returns the configured start, or else `seconds`, limited to 1980 to 2079.
    private static func time(
        secondsSince1970 seconds: Int64, configured: UTCTime?
    ) -> UTCTime {
        let range: ClosedRange<Int64> = 315_532_800...3_471_292_799
        let second: Int64 = 1_000_000_000
        let wanted =
            configured?.unixNanoseconds
            ?? min(range.upperBound, max(range.lowerBound, seconds)) * second
        let nanoseconds = min(range.upperBound * second, max(range.lowerBound * second, wanted))
        guard let time = UTCTime(unixNanoseconds: nanoseconds) else {
            preconditionFailure("64 bits of nanoseconds reach from 1677 to 2262")
        }
        return time
    }
}

extension SimulatedReceiver {
    /// The duration of the transition from the true to the false signals, in seconds.
    private static let takeOver = 10.0
    /// The speed of light in metres per second.
    private static let speedOfLight = 299_792_458.0

    /// Adds the effects of an attack, which must be active, to `result`. Does nothing for other
    /// faults.
    private func attack(_ fault: Fault, at seconds: Double, _ result: inout Disturbances) {
        let elapsed = seconds - fault.start
        guard elapsed.isFinite, fault.kind.isFiniteAttack else { return }
        switch fault.kind {
        case .passingJammer(let decibels):
            let fall = Self.passingLoss(
                decibels, duration: fault.duration ?? 60, after: elapsed)
            result.jamming = max(result.jamming, fall)
            // The gain is reduced to a third by 15 dB of jamming.
            result.gain = max(0.1, 1 - fall * 0.7 / 15)
        case .equalPower(let north, let east):
            result.falseSignals = FalseSignals(level: 48, width: 0.5)
            result.spoofedNorth += north
            result.spoofedEast += east
            result.gain = 0.7
            // The chip's spoofing detector only reacts to the change, for a few seconds.
            result.isSpoofingReported = elapsed < 3
        case .dragOff(let north, let east, let isCareful):
            let progress = min(1, elapsed / Self.takeOver)
            // The velocity grows linearly during the transition.
            let way = elapsed < Self.takeOver ? elapsed * progress / 2 : elapsed - Self.takeOver / 2
            result.spoofedNorth += north * way
            result.spoofedEast += east * way
            result.spoofedNorthVelocity += north * progress
            result.spoofedEastVelocity += east * progress
            guard !isCareful else { break }
            result.falseSignals = FalseSignals(level: 44, width: 2.9, progress: progress)
            result.gain = 1 - 0.1 * progress
            result.clockOffset &+= Self.nanoseconds(20e-9 * elapsed)
        case .timeWalk(let rate):
            result.clockOffset &+= Self.nanoseconds(rate * elapsed)
        case .meaconing(let north, let east):
            let place = configuration.trajectory.state(after: fault.start).coordinate
            result.repeater = place.moved(north: north, east: east)
            result.falseSignals = FalseSignals(level: 45, kept: 0.65)
            result.gain = 0.8
            let way = (north * north + east * east).squareRoot()
            result.clockOffset &+= Self.nanoseconds(way / Self.speedOfLight)
            result.isSpoofingReported = elapsed < 1
        default: break
        }
    }

    /// Converts seconds to nanoseconds. The seconds are limited to ±1e9; the result is 0 if they
    /// are not finite.
    static func nanoseconds(_ seconds: Double) -> Int64 {
        guard seconds.isFinite else { return 0 }
        return Int64((min(1e9, max(-1e9, seconds)) * 1e9).rounded())
    }
    /// Returns the decrease of C/N0 in dB, `seconds` after a jammer has come near that drives past
    /// at constant speed for `duration` seconds. It is `decibels` when the jammer is nearest. The
    /// jamming power is added to the noise, and is inversely proportional to the square of the
    /// distance.
    private static func passingLoss(
        _ decibels: Double, duration: Double, after seconds: Double
    ) -> Double {
        // The power, as a fraction of the noise, above which a jammer has an effect.
        let threshold = 0.25
        let ln10 = 2.302_585_092_994_046
        let nearest = PortableMath.exp(decibels * ln10 / 10) - 1
        guard nearest > threshold, duration > 0 else { return max(0, decibels) }
        let place = 2 * seconds / duration - 1
        let squares = 1 + (nearest / threshold - 1) * place * place
        return 10 * PortableMath.log10(1 + nearest / squares)
    }
}

extension SimulatedReceiver {
    /// An answer to a command.
    package struct Answer: Sendable {
        /// The bytes of one or more complete messages.
        package var bytes: [UInt8]
        /// The time at which the bytes are sent, in seconds after the first epoch.
        package var due: Double
    }

    /// The numbers of assistance messages received so far; `nil` for receivers that are not from
    /// u-blox.
    package var assistance: AssistanceCounts? { (control as? UBXControl)?.assistance.counts }

    var understandsCommands: Bool { control != nil }

    /// Passes bytes from a program to the receiver at the time of the last epoch, and returns all
    /// answers at once, regardless of their delays. An incomplete command is kept until the next
    /// call.
    ///
    /// Commands affect the next epoch. While a fault prevents the receiver from sending, the bytes
    /// are lost.
    public mutating func answers(to bytes: [UInt8]) -> [UInt8] {
        receive(bytes, at: lastSeconds).flatMap(\.bytes)
    }

    /// Passes bytes from a program to the receiver, `seconds` after the first epoch. Returns the
    /// answers with the times at which to send them.
    package mutating func receive(_ bytes: [UInt8], at seconds: Double) -> [Answer] {
        guard !bytes.isEmpty, control != nil, !isMute(at: seconds), seconds >= silentUntil,
            !isLost(.fullBuffer, at: seconds)
        else { return [] }
        let messages =
            settings?.acceptsRTCM == true ? corrections?.receive(bytes, at: seconds) ?? [] : []
        let moment = moment(at: seconds)
        let reactions = control?.receive(bytes, moment) ?? []
        let reports = CorrectionEngine.reports(on: messages) { settings?.messages[$0] != nil }
        var answers = reports.isEmpty ? [] : [Answer(bytes: reports, due: seconds)]
        for reaction in reactions {
            switch reaction {
            case .answer(let bytes, let delay):
                guard !isLost(.lostAnswers, at: seconds) else { continue }
                answers.append(
                    Answer(bytes: bytes, due: seconds + delay + answerDelay(at: seconds)))
            case .restart(let restart): self.restart(restart, at: seconds)
            case .assistance(let acquisition): observer.acquire(acquisition)
            case .run(let isRunning): self.isRunning = isRunning
            }
        }
        applySettings(at: seconds)
        return answers
    }

    private func moment(at seconds: Double) -> ReceiverSnapshot {
        ReceiverSnapshot(
            time: time(after: seconds), observation: lastObservation,
            poll: { [ubxWriter] id in ubxWriter?.answer(toPollOf: id) ?? [] })
    }

    // MARK: Effects

    /// Applies the settings that commands have changed.
    private mutating func applySettings(at seconds: Double) {
        guard let new = control?.settings, new != settings else { return }
        let old = settings
        settings = new
        writer.personality = new.applied(to: configuration.personality)
        if new.constellations != old?.constellations || new.signals != old?.signals {
            observer.receive(new.signals)
        }
        if new.minimumElevation != old?.minimumElevation {
            observer.minimumElevation = new.minimumElevation
        }
        if let old, new.period != old.period {
            schedule.change(period: new.period, at: seconds)
        }
    }

    private mutating func restart(_ restart: ReceiverRestart, at seconds: Double) {
        // A hot restart of the GNSS engine, as after a change of constellations, loses the fix for
        // a second.
        let isEngineOnly = restart.startKind == .hot && !restart.includesPort
        observer.restart(
            isEngineOnly ? .hot : acquisition(after: restart.startKind), at: seconds)
        if !isEngineOnly { corrections?.reset() }
        announcesStart = restart.isAnnounced
        guard restart.includesPort else {
            if restart.hasExtraEpoch { schedule.add(at: seconds + Self.restartDelay) }
            return
        }
        silentUntil = seconds + Self.startUpTime
        // The built-in USB port disappears and returns.
        if configuration.isUSB {
            line.add(Fault(.unplug(as: nil), at: seconds, for: Self.startUpTime))
        }
    }

    /// The time from a change of constellations to the additional epoch, in seconds.
    private static let restartDelay = 0.06
    /// The time from a reset to the first byte, in seconds.
    private static let startUpTime = 0.5

    // MARK: Power

    /// Updates the power state from the active faults and the configured switch. If the power
    /// returns, restarts the receiver.
    private mutating func updatePower(at seconds: Double) {
        var keepsBattery: Bool?
        for fault in faults.faults where fault.isActive(at: seconds) {
            switch fault.kind {
            case .powerOff(let keeps): keepsBattery = (keepsBattery ?? true) && keeps
            case .unplug: keepsBattery = keepsBattery ?? true
            default: break
            }
        }
        if case .off(let keeps)? = configuration.supply?.state {
            keepsBattery = (keepsBattery ?? true) && keeps
        }
        if let keepsBattery {
            outage = (outage ?? true) && keepsBattery
        } else if let battery = outage {
            outage = nil
            switchOn(keepsBattery: battery, at: seconds)
        }
    }

    private mutating func switchOn(keepsBattery: Bool, at seconds: Double) {
        control?.restart(keepsBattery: keepsBattery)
        isRunning = true
        applySettings(at: seconds)
        let acquisition = acquisition(after: keepsBattery ? .hot : .cold)
        if acquisition != .instant { observer.restart(acquisition, at: seconds) }
    }

    private func acquisition(after startKind: ReceiverRestart.StartKind) -> Acquisition {
        Assistance.acquisition(after: startKind, configuration.acquisition)
    }

    // MARK: Faults of commands

    /// Returns whether a fault or the power switch keeps commands from the receiver.
    private func isMute(at seconds: Double) -> Bool {
        if case .off? = configuration.supply?.state { return true }
        return faults.faults.contains { fault in
            switch fault.kind {
            case .silence, .stall, .burst, .unplug, .powerOff: fault.isActive(at: seconds)
            default: false
            }
        }
    }

    private mutating func isLost(_ kind: Fault.Kind, at seconds: Double) -> Bool {
        let losses = faults.faults.filter { $0.kind == kind && $0.isActive(at: seconds) }
        return losses.contains { commandRandom.happens($0.probability) }
    }

    private mutating func answerDelay(at seconds: Double) -> Double {
        var delay = 0.0
        for fault in faults.faults where fault.isActive(at: seconds) {
            if case .lateAnswers(let most) = fault.kind, most.isFinite {
                delay += max(0, most) * commandRandom.unit()
            }
        }
        return delay
    }
}

extension SimulatedReceiver {
    /// The configuration of a simulated receiver.
    public struct Configuration: Sendable {
        /// The motion of the receiver.
        public var trajectory: any Trajectory = CircleTrack()
        /// The kind of receiver.
        public var personality = Personality.generic
        /// The protocols in which the receiver sends. Default: NMEA, as for new u-blox receivers.
        /// Personalities without UBX always send NMEA.
        public var protocols = OutputProtocols.nmea
        /// The number of epochs per second, limited to 0.001 to 1000 and to the personality's
        /// maximum.
        public var rate = 1.0 {
            didSet { rate = min(1000, max(0.001, rate)) }
        }
        /// The instruments whose sentences are sent on the same line. Default: none.
        public var instruments: Set<SimulatedInstrument> = []
        /// The obstacles that hide the sky.
        public var surroundings = Surroundings.openSky
        /// The model of range and velocity errors.
        public var errors = ErrorModel()
        /// The times to the first fix. By default, the first epoch has a fix.
        public var acquisition = Acquisition.instant
        /// The faults, and when they occur.
        public var faults = FaultScript()
        /// The seed of the random numbers. The same seed and start give the same bytes.
        public var seed: UInt64 = 1
        /// The time of the first epoch, from 1980 to 2079. If it is `nil`, a simulation starts at
        /// the system's time or, with a manual clock, at `SimulatedReceiver.defaultStart`, so that
        /// the same seed and steps give the same fixes.
        public var start: UTCTime?
        /// The baud rate; each byte takes ten bits. A program that sets another rate reads noise.
        /// If it is `nil`, bytes are sent immediately and the reader's rate has no effect, as with
        /// USB.
        public var baudRate: BaudRate?
        /// The speed at which time advances.
        public var pace = Pace.realTime
        /// A switch in the receiver's power supply; `nil` for none.
        package var supply: SupplySwitch?
        /// The key that signs the messages of Galileo's satellites, which u-blox chips then report
        /// (`RXM-SFRBX`); `nil` if they are not signed.
        package var testKey: TestKey?

        /// Creates the default configuration: a circle, with one epoch per second.
        public init() {}

        /// The number of epochs per second, limited to the personality's maximum.
        package var effectiveRate: Double { min(rate, max(0.001, personality.maximumRate)) }
    }
}

extension SimulatedReceiver.Configuration {
    /// Whether the receiver has a built-in USB port.
    var isUSB: Bool { personality.chip != nil && baudRate == nil }

    func observed(from start: UTCTime) -> Observer.Configuration {
        var observed = Observer.Configuration(start: start)
        observed.trajectory = trajectory
        observed.signals = personality.allSignals
        observed.surroundings = surroundings
        observed.errors = errors
        observed.acquisition = acquisition
        observed.seed = seed
        return observed
    }
}

/// The protocols in which a simulated receiver sends.
public enum OutputProtocols: String, CaseIterable, Hashable, Sendable {
    /// NMEA 0183 sentences.
    case nmea
    /// u-blox's binary UBX frames.
    case ubx
    /// Both UBX frames and NMEA sentences in each epoch.
    case both

    var sendsNMEA: Bool { self != .ubx }
    var sendsUBX: Bool { self != .nmea }
}

/// An instrument whose sentences are sent on the same serial line as a simulated receiver's
/// sentences.
public enum SimulatedInstrument: String, CaseIterable, Hashable, Sendable {
    /// A compass: HDG.
    case compass
    /// A wind vane: MWV (apparent) and MWD.
    case wind
    /// A depth sounder with a thermometer: DPT and MTW.
    case depth
}

extension SimulatedReceiver {
    /// Adds a fault, which takes effect from its start time on.
    package mutating func add(_ fault: Fault) {
        faults.faults.append(fault)
        line.add(fault)
    }

    /// The decrease of C/N0 by the fault `jam`, in dB. No signal can be tracked with it.
    private static let jammingLoss = 40.0

    /// Returns the effects of the active faults on the receiver's observations.
    private func disturbances(at seconds: Double) -> Disturbances {
        var result = Disturbances()
        for fault in faults.faults {
            // A leap second stays in effect after the end of the fault.
            if case .leapSecond = fault.kind, seconds >= fault.start {
                result.leapSecondDay = time(after: fault.start).date
            }
            if seconds >= fault.start { announce(fault, &result.signatures) }
            guard fault.isActive(at: seconds) else { continue }
            switch fault.kind {
            case .jamming: result.jamming = Self.jammingLoss
            case .lostFix: result.isFixLost = true
            case .urban: result.surroundings = .urban()
            case .spoofing(let north, let east):
                result.spoofedNorth += north
                result.spoofedEast += east
            case .weekRollover: result.clockOffset &+= Disturbances.weekRollover
            case .clockOff(let offset): result.clockOffset &+= Self.nanoseconds(offset)
            case .forgedOrbits: result.signatures.forgesOrbits = true
            case .replay(let delay):
                result.signatures.delay = Int(Self.nanoseconds(delay) / 1_000_000_000)
            default: attack(fault, at: seconds, &result)
            }
        }
        return result
    }

    /// Adds a change of Galileo's chain of keys, which stays in effect, to the faults of signatures.
    private func announce(_ fault: Fault, _ faults: inout SimulatedSignatures.Faults) {
        guard fault.kind == .chainRenewal || fault.kind == .chainRevocation,
            let time = GPSTime(time(after: fault.start))
        else { return }
        faults.changes.append(
            ChainChange(
                announced: GalileoTime(gpsSeconds: time.seconds),
                isRevocation: fault.kind == .chainRevocation))
    }

    /// Returns the simulated time `seconds` after the start.
    func time(after seconds: Double) -> UTCTime {
        let elapsed = max(0, Self.nanoseconds(seconds))
        return UTCTime(unixNanoseconds: start.unixNanoseconds &+ elapsed) ?? start
    }
}

/// The times of a receiver's epochs.
private struct EpochSchedule: Sendable {
    private var base = 0.0
    private var index = 0
    private(set) var rate: Double
    /// The time of an additional epoch between two regular ones, in seconds after the first epoch;
    /// `nil` for none.
    private var extra: Double?

    init(rate: Double) { self.rate = rate }

    /// The time of the next epoch in seconds after the first one.
    var due: Double { min(extra ?? .infinity, onGrid) }

    private var onGrid: Double { base + Double(index) / rate }

    /// Removes the next epoch from the schedule.
    mutating func advance() {
        if let extra, extra < onGrid { return self.extra = nil }
        index += 1
    }

    /// Changes the time between epochs, in seconds. The next regular epoch is at the first multiple
    /// of `period` after `seconds`.
    mutating func change(period: Double, at seconds: Double) {
        rate = 1 / period
        // The margin allows for rounding errors.
        base = ((seconds / period + 1e-9).rounded(.down) + 1) * period
        index = 0
    }

    /// Adds an additional epoch, if it is before the next regular one.
    mutating func add(at seconds: Double) {
        if seconds < onGrid { extra = seconds }
    }
}

/// One epoch of a simulated receiver, with its bytes, their send time and the ground truth.
public struct SimulatedEpoch: Sendable {
    /// The bytes to send. They are empty while the receiver is silent, stalled or unplugged. After
    /// a stall or with the fault `burst`, they contain several epochs.
    public var bytes: [UInt8]
    /// The time of the epoch in seconds after the first one.
    public var seconds: Double
    /// The time at which the bytes are sent, in seconds after the first epoch. It equals `seconds`
    /// unless the bytes are late.
    public var due: Double
    /// Whether the device is plugged in.
    public var plug: Plug
    /// The receiver's observation, before faults of the line are applied.
    public var observation: SimulatedObservation
    /// The active attacks on the signals: jamming and spoofing.
    public var attacks: [Fault] = []
    /// The ground truth.
    public var truth: Truth { observation.truth }

    /// Whether the device is plugged in.
    public enum Plug: Hashable, Sendable {
        /// The device is plugged in. The name is `nil` unless the fault `unplug` has changed it.
        case inserted(as: String?)
        /// The device is unplugged after the bytes of this epoch.
        case unplugged
    }
}

/// A switch in the power supply of a simulated receiver, for tests that cut the power at a certain
/// point.
///
/// ```swift
/// let supply = SupplySwitch()
/// configuration.supply = supply
/// supply.cut()          // values that were not saved are lost
/// supply.restore()
/// ```
///
/// The switch takes effect at the next epoch. The fault `power-off` does the same at a set time.
package final class SupplySwitch: Sendable {
    enum State: Hashable, Sendable {
        case on
        case off(keepsBattery: Bool)
    }

    private let value = Mutex(State.on)

    package init() {}

    /// Cuts the power. If `keepsBattery` is `false`, the content of the battery-backed memory is
    /// lost too.
    package func cut(keepsBattery: Bool = true) {
        value.withLock { $0 = .off(keepsBattery: keepsBattery) }
    }

    /// Restores the power.
    package func restore() { value.withLock { $0 = .on } }

    var state: State { value.withLock { $0 } }
}
