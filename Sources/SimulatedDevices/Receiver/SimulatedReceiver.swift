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
/// All its sentences are marked as simulated: GGA quality 8, mode `S`. UBX has no such mark in its
/// messages; there each epoch has a notice, and `MON-VER` contains it.
public struct SimulatedReceiver: Sendable {
    var faults: FaultScript
    let start: UTCTime
    let personality: Personality
    let observerConfiguration: Observer.Configuration
    let supply: SupplySwitch?
    /// Whether the receiver has its own USB.
    let isUSB: Bool
    var observer: Observer
    var writer: CycleWriter
    private(set) var ubxWriter: UBXCycleWriter?
    var line: FaultyLine
    private var epoch = 0

    // Commands.

    var schedule: EpochSchedule
    var control: (any ReceiverControl)?
    /// The settings of `control` that are in effect; `nil` as long as they are those of the start.
    var settings: ReceiverSettings?
    var commandRandom: SeededGenerator
    /// Whether epochs are sent.
    var isRunning = true
    /// The end of the silence after a reset.
    var silentUntil = -Double.infinity
    /// Whether the next epoch begins with the texts of a start.
    var announcesStart = true
    /// Without power: whether the battery lasts.
    var outage: Bool?
    private(set) var lastSeconds = 0.0
    private(set) var lastObservation: Observation?

    /// Creates a receiver that starts at the configuration's start, or else `seconds` after 1
    /// January 1970. Default: 12:00 UTC on 21 March 2026, so that the same seed gives the same
    /// bytes.
    ///
    /// Years in sentences have two digits: the start is moved to the nearest time from 1980 to
    /// 2079.
    public init(_ configuration: Configuration, startingAt seconds: Int64 = defaultStart) {
        let personality = configuration.personality
        start = Self.time(secondsSince1970: seconds, configured: configuration.start)
        self.personality = personality
        schedule = EpochSchedule(rate: configuration.effectiveRate)
        faults = configuration.faults
        supply = configuration.supply
        observerConfiguration = configuration.observed(from: start)
        observer = Observer(observerConfiguration)
        writer = CycleWriter(personality)
        ubxWriter = UBXCycleWriter(personality, configuration.errors, seed: configuration.seed)
        isUSB = personality.chip != nil && configuration.baudRate == nil
        commandRandom = SeededGenerator(seed: configuration.seed ^ 0xC0_44A2D)
        line = FaultyLine(
            configuration.faults, seed: configuration.seed,
            baudRate: configuration.baudRate ?? personality.baudRate, isUSB: isUSB)
        control = personality.chip.map { chip in
            UBXControl(chip, configuration, identity: ubxWriter?.identity?.identity ?? [])
        }
        if let dialect = personality.dialect {
            control = CommandControl(dialect, configuration)
        }
        settings = control?.settings
    }

    /// The start if none is configured: 2026-03-21T12:00:00Z, in seconds since 1 January 1970.
    public static let defaultStart: Int64 = 1_774_094_400

    /// The time of the next epoch in seconds after the first one, without delays.
    public var due: Double { schedule.due }

    /// Seconds from one epoch to the next.
    var period: Double { 1 / schedule.rate }

    /// The rate of the line, which commands can change; `nil` for USB.
    var lineRate: BaudRate? { settings?.baudRate.flatMap(BaudRate.init) }

    /// The number of bytes that faults have lost.
    public var lostByteCount: Int { line.lostByteCount }

    /// Returns the next epoch. The first one begins with the start-up sentences.
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
            plug: isOff && isUSB ? .unplugged : output.plug,
            observation: observation,
            attacks: faults.faults.filter {
                $0.kind.attackName != nil && $0.isActive(at: seconds)
            })
    }

    private mutating func bytes(of observation: Observation, after seconds: Double) -> [UInt8] {
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
        let cycle = ubxWriter?.cycle(
            observation, after: seconds, observer.disturbances, sentences: writer.bytes
        ) { message in messages?[message].map { epoch.isMultiple(of: $0) } ?? false }
        return startUp + (cycle ?? writer.bytes)
    }

    /// Whether the configured switch is off.
    private var isOff: Bool { outage != nil && supply.map { $0.state != .on } ?? false }

    // MARK: Faults of the receiver

    /// Returns the nearest start that a two-digit year can represent: 1980 to 2079.
    private static func time(
        secondsSince1970 seconds: Int64, configured: UTCTime?
    ) -> UTCTime {
        let representable: ClosedRange<Int64> = 315_532_800...3_471_292_799
        let seconds = min(representable.upperBound, max(representable.lowerBound, seconds))
        let wanted = configured?.unixNanoseconds ?? seconds * 1_000_000_000
        let range =
            representable.lowerBound * 1_000_000_000...representable.upperBound * 1_000_000_000
        let nanoseconds = min(range.upperBound, max(range.lowerBound, wanted))
        guard let time = UTCTime(unixNanoseconds: nanoseconds) else {
            preconditionFailure("64 bits of nanoseconds reach from 1677 to 2262")
        }
        return time
    }
}
