// SPDX-License-Identifier: MIT
public import GNSS

/// The fix that is gathered from the sentences of one epoch, and what is needed besides.
///
/// A sentence *contributes* to an epoch when it makes something known that was not known before, or
/// when it replaces a value by a newer one. The last sentence of the receiver that contributes is
/// where a cycle ends; the methods below are the only way to write on an epoch, and note each
/// contribution.
public struct Epoch: Sendable {
    /// What is known so far.
    public private(set) var fix = Fix()

    /// What the fix's accuracy may be derived from besides.
    package private(set) var errors = ReportedErrors()

    /// Which satellites the receiver names as used.
    package private(set) var satellitesUsed = SatelliteIDSet()

    /// Whether the receiver has named the satellites it uses, if only by an empty list.
    private(set) var namesSatellites = false

    /// The address of the sentence that is contributing.
    public internal(set) var address = Address()

    /// Whether the sentence that is contributing has contributed anything.
    var hasContribution = false

    /// What sentences have reported about there being a fix, and of how many dimensions.
    var evidence = FixEvidence()

    /// The date that a sentence of this epoch carried.
    private(set) var date: ReportedDate?

    /// Where the headings of the attitude come from.
    private var headings = ReportedAttitude.Headings()

    /// Whether the date is known from an earlier epoch.
    var isDateKnown = false

    /// What a receiver reports about its own error that is not a property of the fix.
    public struct ReportedErrors: Hashable, Sendable {
        /// One sigma, from GBS.
        public var expectedError = StandardDeviation()
        /// 68 %, from a proprietary sentence.
        public var receiverAccuracy = Accuracy()
    }

    struct ReportedDate: Equatable {
        var date: CalendarDate
        /// The time of the sentence that carried it: another one's may be of the next day.
        var time: TimeOfDay?
        /// Whether it may serve later epochs: a date from a void sentence may not.
        var isTrusted: Bool
        /// Whether the assembler has not used it yet.
        var isNew: Bool
    }

    /// Whether the same fix follows from the same sentences.
    func isInterchangeable(with other: Epoch) -> Bool {
        // `address` and `hasContribution` are set for each sentence.
        fix == other.fix && errors == other.errors && satellitesUsed == other.satellitesUsed
            && namesSatellites == other.namesSatellites
            && evidence == other.evidence && date == other.date
            && isDateKnown == other.isDateKnown && headings == other.headings
    }

    @inline(__always)  // What is called returns by a copy.
    init() {}

    // MARK: Values

    /// Sets a property of the fix unless the value is `nil`: an empty field never erases. A later value takes
    /// the place of an earlier one, but only the first contributes; see `replace`.
    @inline(__always)
    public mutating func fill<Value>(_ property: WritableKeyPath<Fix, Value?>, _ value: Value?) {
        guard let value else { return }
        if fix[keyPath: property] == nil { hasContribution = true }
        fix[keyPath: property] = value
    }

    /// Sets a number of the fix unless it is `nil` or not finite.
    @inline(__always)
    public mutating func fill(_ property: WritableKeyPath<Fix, Double?>, _ value: Double?) {
        guard let value, value.isFinite else { return }
        if fix[keyPath: property] == nil { hasContribution = true }
        fix[keyPath: property] = value
    }

    /// Sets the position unless it is `nil` or beyond the poles.
    @inline(__always)
    public mutating func fill(_ property: WritableKeyPath<Fix, Coordinate?>, _ value: Coordinate?) {
        guard let value, value.isValid else { return }
        if fix[keyPath: property] == nil { hasContribution = true }
        fix[keyPath: property] = value
    }

    /// Sets one of the receiver's own errors unless it is `nil` or not finite.
    @inline(__always)
    public mutating func fill(
        _ property: WritableKeyPath<ReportedErrors, Double?>, _ value: Double?
    ) {
        guard let value, value.isFinite else { return }
        if errors[keyPath: property] == nil { hasContribution = true }
        errors[keyPath: property] = value
    }

    /// Sets a number that takes the place of an earlier sentence's, as VTG's speed that of RMC's.
    ///
    /// It contributes even where the number happens to be the same.
    @inline(__always)
    public mutating func replace(_ property: WritableKeyPath<Fix, Double?>, _ value: Double?) {
        guard let value, value.isFinite else { return }
        hasContribution = true
        fix[keyPath: property] = value
    }

    /// Notes that the sentence lists the satellites that the fix uses: where it lists none, the satellites of
    /// the fix before are not used any more.
    public mutating func listUsed() {
        namesSatellites = true
    }

    /// Adds a satellite that the fix uses.
    public mutating func use(_ satellite: SatelliteID) {
        namesSatellites = true
        if satellitesUsed.insert(satellite) { hasContribution = true }
    }

    /// Sets the quality if it is better than what other sentences of the epoch gave.
    public mutating func fill(quality: FixQuality?) {
        // One constellation without a fix does not count; that there is none is `refuteFix`.
        guard let quality, quality != .invalid, quality.rank > fix.quality.rank else { return }
        fix.quality = quality
        hasContribution = true
    }

    /// Sets the date. January 1980 is how a receiver without a date counts.
    public mutating func fill(date newDate: CalendarDate?, isTrusted: Bool) {
        guard let newDate, newDate.year > 1980 || newDate.month > 1 else { return }
        guard isTrusted || date == nil else { return }
        if date == nil, !isDateKnown { hasContribution = true }
        date = ReportedDate(
            date: newDate, time: fix.timeOfDay, isTrusted: isTrusted || date?.isTrusted ?? false,
            isNew: isTrusted)
    }

    /// Returns the date if it may serve later epochs and has not been returned before.
    mutating func takeNewDate() -> (date: CalendarDate, time: TimeOfDay)? {
        guard let date, date.isNew, let time = date.time else { return nil }
        self.date?.isNew = false
        return (date.date, time)
    }

    /// Exchanges the attitude for another one.
    mutating func exchangeAttitude(_ other: inout ReportedAttitude) {
        swap(&fix.attitude, &other.attitude)
        swap(&headings, &other.headings)
    }

    /// Sets the true heading, which takes the place of one that follows from a magnetic heading.
    public mutating func fill(trueHeading: Double?) {
        guard let trueHeading, trueHeading.isFinite else { return }
        fill(\.attitude.heading, trueHeading)
        headings.isTrueReported = true
        headings.awaitsMagnetic = true
    }

    /// Sets the magnetic heading, and the true one that follows from it where no other is reported.
    ///
    /// Both are of one instant: each magnetic heading replaces the true one that followed from the one
    /// before. Of several after a true heading that was reported, the first goes with it.
    public mutating func fill(magneticHeading: Double?, variation: Double? = nil) {
        guard let magneticHeading, magneticHeading.isFinite else { return }
        headings.variation = variation ?? headings.variation
        let isTrueReported = headings.isTrueReported
        guard !isTrueReported || headings.awaitsMagnetic || fix.attitude.magneticHeading == nil
        else { return }
        fill(\.attitude.magneticHeading, magneticHeading)
        headings.awaitsMagnetic = false
        guard !isTrueReported else { return }
        fix.attitude.heading = headings.variation.map { (magneticHeading + $0).wrappedDegrees }
    }

    /// Sets the time of the epoch.
    mutating func begin(at time: TimeOfDay?) {
        if let time { fix.timeOfDay = time }
    }

    // MARK: Evidence

    /// Notes that a sentence reports no fix, which wins over everything else.
    public mutating func refuteFix() {
        weigh { $0.refute() }
    }

    /// Notes that a sentence with a status reports a fix (RMC, GLL).
    ///
    /// Its dimensions follow from an altitude or four satellites, or else from the epoch before,
    /// unless the receiver names two.
    public mutating func supportFix() {
        let isThreeD = fix.altitude != nil || satellitesUsed.count >= 4
        weigh {
            $0.supportWithoutDimensions()
            if isThreeD { $0.support(.threeD) }
        }
    }

    /// Notes that a sentence with a satellite count reports a fix (GGA, GNS).
    public mutating func supportFix(satellites: Int?) {
        let isThreeD = fix.altitude != nil && (satellites ?? 0) >= 4
        weigh { $0.support(isThreeD ? .threeD : .twoD) }
    }

    /// Notes that the receiver names the dimensions of its fix (GSA).
    public mutating func supportFix(_ mode: FixMode) {
        weigh { $0.name(mode) }
    }

    @inline(__always)
    private mutating func weigh(_ change: (inout FixEvidence) -> Void) {
        let before = (evidence.isVoid, evidence.mode)
        change(&evidence)
        if before != (evidence.isVoid, evidence.mode) { hasContribution = true }
    }
}
