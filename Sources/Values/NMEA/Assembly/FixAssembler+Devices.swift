// SPDX-License-Identifier: MIT
import GNSS

// Compasses and other instruments on a receiver's line, which send at any time.
extension FixAssembler {
    /// The longest gap between epochs across which an attitude is kept, in nanoseconds: two
    /// periods, and at least two seconds.
    @inline(__always)
    var maximumAttitudeGap: Int64 { max(2_000_000_000, 2 * (published.period ?? 0)) }

    /// The key of the pattern of epochs (`CyclePatterns`) that the current epoch belongs to; `nil`
    /// before the epoch's first sentence with a time.
    @inline(__always)
    var pattern: CyclePatterns.Key? {
        opener.map { CyclePatterns.Key(opener: $0, hasFix: epoch.evidence.mode > .noFix) }
    }

    /// Returns whether the satellite receiver sent a sentence. Sentences of other devices, such as
    /// a compass, do not end a cycle.
    @inline(__always)
    func isFromReceiver(_ address: Address) -> Bool {
        address.isOfSatelliteReceiver || address.talkerKey == opener?.talkerKey
    }

    /// The number of sentences of another device after which the satellite receiver counts as
    /// silent, if it has sent none itself.
    private static let maximumCopies = 20

    /// Returns whether a repeated sentence without a time begins a new epoch. A sentence of another
    /// device does so only if the receiver is silent. A second UBX message with the same time of
    /// week does not: it may be the answer to a poll or a copy. A third one does, because the
    /// receiver's clock has stopped.
    @inline(__always)
    func isRepeatedBoundary(_ address: Address) -> Bool {
        if address.isOfUBX { return occurrences.hasOccurred(currentSentence, times: 2) }
        return isFromReceiver(address) || isClosed || copies >= Self.maximumCopies
            || occurrences.hasOccurred(currentSentence, times: Self.maximumCopies)
    }

    private static let inertialUnit = Address("PASHR")

    /// Returns whether a sentence is the attitude of an inertial unit, and no satellite receiver has
    /// been found on the line. The attitude has no fix to belong to, so its time is ignored.
    @inline(__always)
    func isAttitudeAlone(_ address: Address) -> Bool {
        !hasOpened && address == Self.inertialUnit
    }

    /// Returns whether a sentence without a time must be ignored: it belongs to the next epoch, or
    /// is another device's copy of what the receiver itself sends.
    @inline(__always)
    func isForeign(_ address: Address) -> Bool {
        isCopyOfVelocity(address) || describesNextEpoch(address)
    }

    /// Returns whether a sentence is a GSA or VTG of the next epoch: it has already occurred as
    /// often as in the last epoch that contained it, and other sentences have followed. The
    /// sentence with the time of the next epoch was then lost.
    @inline(__always)
    private func describesNextEpoch(_ address: Address) -> Bool {
        guard occurrences.isSurplus(currentSentence, afterLoss: epoch.damage == .last), !isClosed,
            opener != nil
        else { return false }
        return address.formatter == GSA.formatter || address.formatter == VTG.formatter
    }

    /// Returns whether a sentence is a VTG of another device that repeats the velocity which the
    /// receiver itself sends.
    @inline(__always)
    private func isCopyOfVelocity(_ address: Address) -> Bool {
        guard address.formatter == VTG.formatter, !address.isOfSatelliteReceiver,
            opener?.isOfSatelliteReceiver == true
        else { return false }
        return occurrences.receiverHasSent(VTG.formatter)
            || occurrences.receiverHasSent(RMC.formatter)
    }

    /// Removes the values of an epoch that has ended with a silence and has no time: the sentence
    /// with the time was lost. Call it before a sentence with a time is added.
    @inline(__always)
    mutating func dropValuesWithoutTime(_ address: Address) {
        if isClosed, opener == nil, lastContribution != nil { dropEpoch(address) }
    }

    /// Removes the values of the receiver from the epoch. Those of a compass remain.
    @inline(never)
    private mutating func dropEpoch(_ address: Address) {
        var attitude = ReportedAttitude()
        epoch.exchangeAttitude(&attitude)
        var new = Epoch()
        new.isDateKnown = epoch.isDateKnown
        new.followsReport = epoch.followsReport
        new.evidence.wasThreeD = epoch.evidence.wasThreeD
        new.instrumentContext = epoch.instrumentContext
        new.exchangeAttitude(&attitude)
        epoch = new
        lastContribution = nil
        beginOccurrences(with: address)
    }

    /// Returns whether a sentence of another device, such as a plotter or a Signal K server,
    /// repeats what the satellite receiver sends. Copies are late and rounded, and may contain
    /// local time.
    ///
    /// Copies are used if the receiver has no fix, or has been silent while `maximumCopies` of them
    /// were received.
    @inline(never)
    mutating func isCopy(_ address: Address, _ time: TimeOfDay?) -> Bool {
        guard copies < Self.maximumCopies, opener?.isOfSatelliteReceiver == true,
            epoch.mode > .noFix,
            address.formatter == GLL.formatter || isOld(time)
                || occurrences.receiverHasSent(address.formatter)
        else { return false }
        copies += 1
        return true
    }

    /// Returns whether a time is earlier than the epoch's time; `false` while the date is not
    /// known, because the sentence may report it.
    @inline(__always)
    private func isOld(_ time: TimeOfDay?) -> Bool {
        guard let time, let now = epoch.fix.timeOfDay, epoch.isDateKnown else { return false }
        return time.nanoseconds(since: now) < 0 && !isSameInstant(time)
    }
}

/// Values from sentences with the time of an epoch that has not begun. Some receivers send GST, and
/// some inertial units PASHR, before the other sentences of the same epoch.
struct EarlyValues: Equatable, Sendable {
    private struct EarlyValue<Value: Equatable & Sendable>: Equatable, Sendable {
        var time: TimeOfDay
        var value: Value
    }

    private var deviation: EarlyValue<StandardDeviation>?
    private var attitude: EarlyValue<ReportedAttitude>?
    private var isEmpty = true

    /// Keeps the standard deviations and the attitude of a sentence whose time is not the time of
    /// the current epoch.
    @inline(never)
    mutating func keep(from sentence: some Sentence) {
        guard case .attaches(let time?) = sentence.timing else { return }
        var other = Epoch()
        sentence.contribute(to: &other)
        let errors = other.fix.standardDeviation
        if errors != StandardDeviation() {
            (deviation, isEmpty) = (EarlyValue(time: time, value: errors), false)
        }
        var reported = ReportedAttitude()
        other.exchangeAttitude(&reported)
        if reported != ReportedAttitude() {
            (attitude, isEmpty) = (EarlyValue(time: time, value: reported), false)
        }
    }

    /// Adds the values that were reported for `time` to the epoch that begins. Values for other
    /// times are discarded.
    mutating func take(at time: TimeOfDay, into epoch: inout Epoch) {
        guard !isEmpty else { return }
        if let deviation, time.isSameInstant(as: deviation.time) {
            epoch.begin(with: deviation.value)
        }
        if let attitude, time.isSameInstant(as: attitude.time) {
            epoch.begin(with: attitude.value)
        }
        self = EarlyValues()
    }
}

/// The values in sentences of instruments that later sentences refer to.
struct InstrumentContext: Hashable, Sendable {
    /// The depth below the keel in metres, if DBK has reported it since the previous fix and the
    /// start of the epoch; otherwise `nil`.
    var belowKeel: Double?
    /// The depth below the surface in metres, if DBS has reported it since the previous fix and
    /// the start of the epoch; otherwise `nil`.
    var belowSurface: Double?
    /// Whether the last speed of the true wind came from MWD. This also applies after a fix.
    var isWindSpeedFromMWD = false

    /// Whether a depth below the keel or the surface is known.
    var hasDepth: Bool { belowKeel != nil || belowSurface != nil }
}

extension Epoch {
    /// Empties the epoch for the next one.
    mutating func clear() {
        let isWindSpeedFromMWD = instrumentContext.isWindSpeedFromMWD
        let wasDamaged = damage == .during || damage == .last
        self = Epoch()
        if wasDamaged { damage = .before }
        instrumentContext.isWindSpeedFromMWD = isWindSpeedFromMWD
    }

    /// Sets the speed of the true wind unless it is `nil` or not finite.
    mutating func fill(trueWindSpeed speed: Double?, isFromMWD: Bool) {
        guard let speed, speed.isFinite else { return }
        fill(.trueWindSpeed, speed)
        instrumentContext.isWindSpeedFromMWD = isFromMWD
    }

    /// Removes the true wind that MWV reports as invalid. A speed from MWD remains: MWV may be
    /// invalid only because the angle from the bow is unknown.
    mutating func invalidateTrueWind() {
        fill(.trueWindAngle, nil, isValid: false)
        if !instrumentContext.isWindSpeedFromMWD { fill(.trueWindSpeed, nil, isValid: false) }
    }

    /// Calculates the offset of the transducer from the depth below it and the depth below the keel
    /// or the surface. Has no effect if one of the depths is unknown, or if the offset is known.
    mutating func fillDepthOffset() {
        guard instrumentContext.hasDepth, let belowTransducer = fix.instruments[.depth],
            fix.instruments[.depthOffset] == nil
        else { return }
        if let keel = instrumentContext.belowKeel, keel < belowTransducer {
            fill(.depthOffset, keel - belowTransducer)
        } else if let surface = instrumentContext.belowSurface, surface > belowTransducer {
            fill(.depthOffset, surface - belowTransducer)
        }
    }
}

extension FixAssembler {
    /// Discards the values of instruments that would belong to the next fix.
    mutating func forgetInstruments() {
        nextAttitude.instruments = Instruments()
        (epoch.instrumentContext.belowKeel, epoch.instrumentContext.belowSurface) = (nil, nil)
    }
}

/// Groups the values of a compass, an autopilot or an inertial unit into instants, on a line
/// without a satellite receiver.
///
/// The sentences of such a device have no time, or their time is ignored (PASHR). An instant ends
/// when one of its values is reported again. After two consecutive instants with the same set of
/// values, an instant ends when the set is complete.
struct InstrumentInstants: Equatable, Sendable {
    /// Whether a sentence is being added: `begin(_:)` has been called, but not `finishSentence`.
    private(set) var isAdding = false
    /// The values of the current instant while a sentence is being added. At other times, the epoch
    /// contains them.
    private var current = ReportedAttitude()
    /// The kinds of values that the previous instant had, one bit for each.
    private var members: UInt8 = 0
    /// Whether the values of the current instant may be only a part of those that were sent. It is
    /// then dropped when it ends.
    var lacksBeginning = false
    /// Whether the last two instants had the same kinds of values.
    private var isLearned = false

    /// Empties the attitude in the epoch, so that it contains only the next sentence's values
    /// afterwards.
    mutating func begin(_ epoch: inout Epoch) {
        isAdding = true
        epoch.exchangeAttitude(&current)
    }

    /// Adds the values of the sentence to the current instant, which is stored in the epoch.
    mutating func finishSentence(_ epoch: inout Epoch, into ready: inout CompleteFixes) {
        isAdding = false
        var reported = ReportedAttitude()
        epoch.exchangeAttitude(&reported)
        if current.members & reported.members != 0 { publish(into: &ready) }
        current.add(reported)
        if isLearned, current.members == members { publish(into: &ready) }
        epoch.exchangeAttitude(&current)
    }

    /// Ends the instant stored in the epoch, because the line is silent.
    mutating func end(_ epoch: inout Epoch, into ready: inout CompleteFixes) {
        epoch.exchangeAttitude(&current)
        publish(into: &ready)
    }

    private mutating func publish(into ready: inout CompleteFixes) {
        isLearned = current.members == members
        members = current.members
        if !exchange(&lacksBeginning, with: false) { ready.append(current.attitude) }
        current = ReportedAttitude()
    }
}

/// An attitude, whether its true heading was reported or calculated, and the values of other
/// instruments.
struct ReportedAttitude: Hashable, Sendable {
    /// Whether the true heading was reported or calculated from the magnetic one, and the data
    /// needed to pair the headings of one instant.
    struct Headings: Hashable, Sendable {
        /// Whether the true heading was reported. Otherwise it is calculated from the magnetic
        /// heading.
        var isTrueReported = false
        /// Whether a true heading has been reported, but no magnetic heading since then.
        var awaitsMagnetic = false
        /// The magnetic variation at the compass in degrees, positive to the east.
        var variation: Double?
    }

    var attitude = Attitude()
    var instruments = Instruments()
    var headings = Headings()

    /// The values of the attitude that are known, as a set with one bit for each.
    var members: UInt8 {
        (headings.isTrueReported ? 1 : 0)
            | (attitude.magneticHeading != nil ? 2 : 0) | (attitude.pitch != nil ? 4 : 0)
            | (attitude.roll != nil ? 8 : 0) | (attitude.heave != nil ? 16 : 0)
            | (attitude.rateOfTurn != nil ? 32 : 0)
    }

    /// Adds the values of another sentence for the same instant.
    mutating func add(_ other: ReportedAttitude) {
        var sum = other.attitude
        if headings.isTrueReported, !other.headings.isTrueReported {
            sum.heading = attitude.heading
            sum.headingAccuracy = attitude.headingAccuracy
        }
        sum.fillGaps(with: attitude)
        attitude = sum
        headings.isTrueReported = headings.isTrueReported || other.headings.isTrueReported
        headings.variation = other.headings.variation ?? headings.variation
    }

    /// Returns `later` with its missing values filled from this attitude.
    ///
    /// A true heading that was calculated from a magnetic heading is not combined with a different
    /// magnetic heading.
    func filling(_ later: Attitude) -> Attitude {
        var (sum, earlier) = (later, attitude)
        if later.magneticHeading != nil, !headings.isTrueReported { earlier.heading = nil }
        sum.fillGaps(with: earlier)
        return sum
    }
}
