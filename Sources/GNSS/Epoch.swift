// SPDX-License-Identifier: MIT

/// What has been said so far about one instant: the sheet on which every sentence writes.
///
/// Silence never erases knowledge: contributions go through `fill`, which ignores `nil`.
public struct Epoch: Sendable {
    /// Which kinds of things are known: a sentence that adds to them contributes to the fix.
    @usableFromInline var facts: EpochFacts = []

    @usableFromInline var measurements = Measurements()
    @usableFromInline var heldSatelliteCount = 0

    /// Which satellites the receiver names as used.
    public var satellitesUsed = SatelliteIDSet()
    private var heldStandardDeviation = StandardDeviation()
    private var heldExpectedError = StandardDeviation()
    private var heldReceiverAccuracy = Accuracy()
    /// Which reference station the corrections come from.
    public var correctionStation: Int?

    /// The best quality any sentence claimed.
    public private(set) var quality: FixQuality?
    /// What was said about there being a fix at all.
    var evidence = FixEvidence()

    /// The date that belongs to `time`, if a sentence of this epoch carried one.
    public private(set) var date: CalendarDate?
    /// The time of the sentence that carried the date: another one's may be of the next day.
    private(set) var dateTime: TimeOfDay?
    /// Whether the date may serve later epochs: a date from a void sentence may not.
    private(set) var isDateTrusted = false

    /// Whether a date that may serve has come since the assembler looked at it.
    var isDateNew = false

    /// The time of the epoch; the assembler sets it.
    public internal(set) var time: TimeOfDay?

    /// Makes an empty epoch.
    public init() {}

    /// Becomes an empty epoch. In place: it is large, and there is one for every fix.
    mutating func clear() {
        facts = []
        measurements = Measurements()
        satellitesUsed = SatelliteIDSet()
        heldStandardDeviation = StandardDeviation()
        heldExpectedError = StandardDeviation()
        heldReceiverAccuracy = Accuracy()
        correctionStation = nil
        quality = nil
        evidence = FixEvidence()
        date = nil
        dateTime = nil
        isDateTrusted = false
        isDateNew = false
        time = nil
    }

    /// One sigma, from GST.
    public var standardDeviation: StandardDeviation {
        get { heldStandardDeviation }
        set {
            heldStandardDeviation = newValue
            facts.note(.standardDeviation, !newValue.isEmpty)
        }
    }

    /// One sigma, from GBS.
    public var expectedError: StandardDeviation {
        get { heldExpectedError }
        set {
            heldExpectedError = newValue
            facts.note(.expectedError, !newValue.isEmpty)
        }
    }

    /// 68 %, from a proprietary sentence.
    public var receiverAccuracy: Accuracy {
        get { heldReceiverAccuracy }
        set {
            heldReceiverAccuracy = newValue
            facts.note(.receiverAccuracy, newValue.horizontal != nil)
        }
    }

    /// Notes that a sentence says there is no fix, which wins over everything else.
    public mutating func refuteFix() {
        evidence.refute()
    }

    /// Notes that a sentence with a status says there is a fix (RMC, GLL).
    ///
    /// Whether of three dimensions, it does not say: an altitude or four satellites do, or else the
    /// epoch before, unless the receiver names two.
    public mutating func supportFix() {
        evidence.supportAtLarge()
        if altitude != nil || satellitesUsed.count >= 4 { evidence.support(.threeD) }
    }

    /// Notes that a sentence with a satellite count says there is a fix (GGA, GNS).
    public mutating func supportFix(satellites: Int?) {
        evidence.support(altitude != nil && (satellites ?? 0) >= 4 ? .threeD : .twoD)
    }

    /// Notes that the receiver names the dimensions of its fix (GSA).
    public mutating func supportFix(_ mode: FixMode) {
        evidence.name(mode)
    }

    /// What the evidence so far amounts to.
    public var mode: FixMode { evidence.mode }

    /// Notes a claim about where the position comes from; the best one stays.
    public mutating func claim(_ claimed: FixQuality?) {
        // The same again, as nearly always.
        guard claimed != quality else { return }
        // That there is no fix is said by `refuteFix`; a constellation without one does not count.
        guard let claimed, claimed != .invalid, claimed.rank > (quality?.rank ?? -1) else { return }
        quality = claimed
    }

    /// Notes the date of this epoch. January 1980 is how a receiver without a date counts.
    public mutating func setDate(_ newDate: CalendarDate?, trusted: Bool) {
        guard let newDate, newDate.year > 1980 || newDate.month > 1 else { return }
        guard trusted || date == nil else { return }
        date = newDate
        dateTime = time
        isDateTrusted = isDateTrusted || trusted
        isDateNew = trusted
    }

    /// The facts, with what the evidence amounts to and with the date where another epoch told it.
    @inline(__always)
    func facts(isDateKnown: Bool, _ mode: FixMode) -> EpochFacts {
        var facts = facts
        // Either altitude is the same kind of news.
        facts.note(.altitude, facts.has(.altitude) || facts.has(.ellipsoidalAltitude))
        facts.note(.ellipsoidalAltitude, false)
        facts.note(.date, isDateKnown || date != nil)
        facts.note(.void, evidence.isVoid)
        facts.note(.twoD, mode >= .twoD)
        facts.note(.threeD, mode == .threeD)
        return facts
    }
}

extension Optional {
    /// Takes the new value if there is one; silence never erases knowledge.
    @inlinable
    package mutating func fill(_ newValue: Wrapped?) {
        if let newValue { self = newValue }
    }
}
