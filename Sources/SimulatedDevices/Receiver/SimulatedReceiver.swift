// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

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
    private let rate: Double
    private let faults: FaultScript
    private let start: UTCTime
    private var observer: Observer
    private var writer: CycleWriter
    private var ubxWriter: UBXCycleWriter?
    private let sendsNMEA: Bool
    private var line: FaultyLine
    private var epoch = 0

    /// Creates a receiver that starts at the configuration's start, or else `seconds` after 1
    /// January 1970. Default: 12:00 UTC on 21 March 2026, so that the same seed gives the same
    /// bytes.
    ///
    /// Years in sentences have two digits: the start is moved to the nearest time from 1980 to
    /// 2079.
    public init(_ configuration: Configuration, startingAt seconds: Int64 = defaultStart) {
        let personality = configuration.personality
        start = Self.time(secondsSince1970: seconds, configured: configuration.start)
        rate = configuration.effectiveRate
        faults = configuration.faults
        observer = Observer(configuration.observed(from: start))
        writer = CycleWriter(personality)
        ubxWriter =
            configuration.protocols.sendsUBX
            ? UBXCycleWriter(personality, configuration.errors, seed: configuration.seed) : nil
        sendsNMEA = configuration.protocols.sendsNMEA || ubxWriter == nil
        line = FaultyLine(
            configuration.faults, seed: configuration.seed,
            baudRate: configuration.baudRate ?? personality.baudRate)
    }

    /// The start if none is configured: 2026-03-21T12:00:00Z, in seconds since 1 January 1970.
    public static let defaultStart: Int64 = 1_774_094_400

    /// The time of the next epoch in seconds after the first one, without delays.
    public var due: Double { Double(epoch) / rate }

    /// The number of bytes that faults have lost.
    public var lostByteCount: Int { line.lostByteCount }

    /// Returns the next epoch. The first one begins with the start-up sentences.
    public mutating func next() -> SimulatedEpoch {
        defer { epoch += 1 }
        let seconds = due
        if !faults.faults.isEmpty { observer.disturbances = disturbances(at: seconds) }
        let observation = observer.observe(after: seconds)
        let output = line.send(bytes(of: observation, after: seconds), at: seconds)
        return SimulatedEpoch(
            bytes: output.bytes, seconds: seconds, due: output.due, plug: output.plug,
            observation: observation)
    }

    private mutating func bytes(of observation: Observation, after seconds: Double) -> [UInt8] {
        var startUp: [UInt8] = []
        if epoch == 0 {
            if sendsNMEA { writer.writeStartUp() }
            startUp = writer.bytes + (ubxWriter?.startUp ?? [])
        }
        writer.removeAll()
        if sendsNMEA { writer.write(observation, after: seconds) }
        let cycle =
            ubxWriter?.cycle(
                observation, after: seconds, observer.disturbances, sentences: writer.bytes)
            ?? writer.bytes
        return startUp + cycle
    }

    // MARK: Answers

    /// Whether it answers polls: if it sends UBX.
    var answersPolls: Bool { ubxWriter != nil }

    /// Returns the answers to UBX frames that a program has written, as of the last epoch. Bytes
    /// that are no whole frame are kept until the next call.
    ///
    /// Polls of `MON-VER`, `SEC-UNIQID` and the messages that the receiver sends are answered;
    /// configuration is refused (`ACK-NAK`). A receiver that sends only NMEA, or that a fault keeps
    /// from sending, does not answer.
    public mutating func answers(to bytes: [UInt8]) -> [UInt8] {
        guard let answers = ubxWriter?.answers(to: bytes), !answers.isEmpty else { return [] }
        let last = Double(epoch - 1) / rate
        let isMute = faults.faults.contains { fault in
            switch fault.kind {
            case .silence, .stall, .burst, .unplug: fault.isActive(at: last)
            default: false
            }
        }
        return isMute ? [] : answers
    }

    // MARK: Faults of the receiver

    /// The attenuation in dB by a jammer, with which no signal can be tracked.
    private static let jammer = 40.0

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

    private func disturbances(at seconds: Double) -> Disturbances {
        var result = Disturbances()
        for fault in faults.faults {
            // The leap second is at the end of a day that began before.
            if case .leapSecond = fault.kind, seconds >= fault.start {
                result.leapSecondDay = day(after: fault.start)
            }
            guard fault.isActive(at: seconds) else { continue }
            switch fault.kind {
            case .jamming: result.jamming = Self.jammer
            case .lostFix: result.isFixLost = true
            case .urban: result.surroundings = .urban()
            case .spoofing(let north, let east):
                result.spoofedNorth += north
                result.spoofedEast += east
            case .weekRollover: result.clockOffset &+= Disturbances.weekRollover
            case .clockOff(let offset) where offset.isFinite:
                result.clockOffset &+= Int64((min(1e9, max(-1e9, offset)) * 1e9).rounded())
            default: break
            }
        }
        return result
    }

    private func day(after seconds: Double) -> CalendarDate {
        let nanoseconds =
            start.unixNanoseconds &+ Int64((max(0, min(seconds, 1e9)) * 1e9).rounded())
        return UTCTime(unixNanoseconds: nanoseconds)?.date ?? start.date
    }
}
