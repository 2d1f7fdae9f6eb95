// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
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
/// All sentences are marked as simulated: GGA quality 8, mode `S`. UBX messages have no field for
/// this. Therefore each epoch with UBX contains an `INF-NOTICE` with a text, and `MON-VER` contains
/// `SIMULATED`.
public struct SimulatedReceiver: Sendable {
    let configuration: Configuration
    let start: UTCTime
    var faults: FaultScript
    var observer: Observer
    var writer: CycleWriter
    private(set) var ubxWriter: UBXCycleWriter?
    var line: FaultyLine
    private var epoch = 0

    // The following properties can be changed by commands, or are needed to execute them.

    var schedule: EpochSchedule
    var control: (any ReceiverControl)?
    /// The settings of `control` that are in effect; `nil` for a receiver without commands.
    var settings: ReceiverSettings?
    var commandRandom: SeededGenerator
    /// Whether the receiver sends epochs. A UBX command can stop them.
    var isRunning = true
    /// The time until which nothing is sent after a reset, in seconds after the first epoch.
    var silentUntil = -Double.infinity
    /// Whether the next epoch begins with the start-up texts.
    var announcesStart = true
    /// `nil` while the power is on; otherwise whether the battery-backed memory is kept.
    var outage: Bool?
    private(set) var lastSeconds = 0.0
    private(set) var lastObservation: SimulatedObservation?

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
        ubxWriter = UBXCycleWriter(personality, configuration.errors, seed: configuration.seed)
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
    }

    /// The default start, 2026-03-21T12:00:00Z, in seconds since 1 January 1970.
    public static let defaultStart: Int64 = 1_774_094_400

    /// The time of the next epoch, in seconds after the first one. Faults may delay its bytes.
    public var due: Double { schedule.due }

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
        let observation = observer.observe(after: seconds)
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
