// SPDX-License-Identifier: MIT
import GNSS

// Compasses and other instruments on a receiver's line, which send at any time.
extension FixAssembler {
    /// The longest gap between epochs across which an attitude is kept, in nanoseconds: two
    /// periods, and at least two seconds.
    @inline(__always)  // A call would copy the assembler.
    var maximumAttitudeGap: Int64 { max(2_000_000_000, 2 * (published.period ?? 0)) }

    /// The key of the pattern of epochs (`CyclePatterns`) that the current epoch belongs to; `nil`
    /// before the epoch's first sentence with a time.
    @inline(__always)  // A call would copy the assembler.
    var pattern: CyclePatterns.Key? {
        opener.map { CyclePatterns.Key(opener: $0, hasFix: epoch.evidence.mode > .noFix) }
    }

    /// Returns whether the satellite receiver sent a sentence. Sentences of other devices, such as
    /// a compass, do not end a cycle.
    @inline(__always)  // A call would copy the assembler.
    func isFromReceiver(_ address: Address) -> Bool {
        address.isOfSatelliteReceiver || address.talkerKey == opener?.talkerKey
    }

    /// The number of sentences of another device after which the satellite receiver counts as
    /// silent, if it has sent none itself.
    private static var maximumCopies: Int { 20 }

    /// Returns whether a repeated sentence without a time begins a new epoch. A sentence of another
    /// device does so only if the receiver is silent. A second UBX message with the same time of
    /// week does not: it may be the answer to a poll or a copy. A third one does, because the
    /// receiver's clock has stopped.
    @inline(__always)  // A call would copy the assembler.
    func isRepeatedBoundary(_ address: Address) -> Bool {
        if address.isOfUBX { return occurrences.hasOccurred(currentSentence, times: 2) }
        return isFromReceiver(address) || isClosed || copies >= Self.maximumCopies
            || occurrences.hasOccurred(currentSentence, times: Self.maximumCopies)
    }

    private static let inertialUnit = Address("PASHR")

    /// Returns whether a sentence is the attitude of an inertial unit, and no satellite receiver has
    /// been found on the line. The attitude has no fix to belong to, so its time is ignored.
    @inline(__always)  // A call would copy the assembler.
    func isAttitudeAlone(_ address: Address) -> Bool {
        !hasOpened && address == Self.inertialUnit
    }

    /// Returns whether a sentence without a time must be ignored: it belongs to the next epoch, or
    /// is another device's copy of what the receiver itself sends.
    @inline(__always)  // A call would copy the assembler.
    func isForeign(_ address: Address) -> Bool {
        isCopyOfVelocity(address) || describesNextEpoch(address)
    }

    /// Returns whether a sentence is a GSA or VTG of the next epoch: it has already occurred as
    /// often as in the last epoch that contained it, and other sentences have followed. The
    /// sentence with the time of the next epoch was then lost.
    @inline(__always)  // A call would copy the assembler.
    private func describesNextEpoch(_ address: Address) -> Bool {
        guard occurrences.isSurplus(currentSentence), !isClosed, opener != nil else { return false }
        return address.formatter == GSA.formatter || address.formatter == VTG.formatter
    }

    /// Returns whether a sentence is a VTG of another device that repeats the velocity which the
    /// receiver itself sends.
    @inline(__always)  // A call would copy the assembler.
    private func isCopyOfVelocity(_ address: Address) -> Bool {
        guard address.formatter == VTG.formatter, !address.isOfSatelliteReceiver,
            opener?.isOfSatelliteReceiver == true
        else { return false }
        return occurrences.isFromReceiver(VTG.formatter)
            || occurrences.isFromReceiver(RMC.formatter)
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
                || occurrences.isFromReceiver(address.formatter)
        else { return false }
        copies += 1
        return true
    }

    /// Returns whether a time is earlier than the epoch's time; `false` while the date is not
    /// known, because the sentence may report it.
    @inline(__always)  // A call would copy the assembler.
    private func isOld(_ time: TimeOfDay?) -> Bool {
        guard let time, let now = epoch.fix.timeOfDay, epoch.isDateKnown else { return false }
        return time.nanoseconds(since: now) < 0 && !time.isSameInstant(as: now)
    }
}

/// Values from sentences with the time of an epoch that has not begun. Some receivers send GST, and
/// some inertial units PASHR, before the other sentences of the same epoch.
struct EarlyValues: Equatable, Sendable {
    private struct Report<Value: Equatable & Sendable>: Equatable, Sendable {
        var time: TimeOfDay
        var value: Value
    }

    private var deviation: Report<StandardDeviation>?
    private var attitude: Report<ReportedAttitude>?

    /// Keeps the standard deviations and the attitude of a sentence whose time is not the time of
    /// the current epoch.
    @inline(never)
    mutating func keep(from sentence: some Sentence) {
        guard case .attaches(let time?) = sentence.timing else { return }
        var other = Epoch()
        sentence.contribute(to: &other)
        let errors = other.fix.standardDeviation
        if errors != StandardDeviation() { deviation = Report(time: time, value: errors) }
        var reported = ReportedAttitude()
        other.exchangeAttitude(&reported)
        if reported != ReportedAttitude() { attitude = Report(time: time, value: reported) }
    }

    /// Adds the values that were reported for `time` to the epoch that begins. Values for other
    /// times are discarded.
    mutating func take(at time: TimeOfDay, into epoch: inout Epoch) {
        if let deviation, time.isSameInstant(as: deviation.time) {
            epoch.begin(with: deviation.value)
        }
        if let attitude, time.isSameInstant(as: attitude.time) {
            epoch.begin(with: attitude.value)
        }
        self = EarlyValues()
    }
}
