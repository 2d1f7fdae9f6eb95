// SPDX-License-Identifier: MIT
public import GNSS

/// The fix that is assembled from the sentences of one epoch, and the data needed to complete it.
///
/// A sentence *contributes* to an epoch when it sets a value that was not known, or replaces a value
/// with a newer one. The last sentence of the receiver that contributes ends a cycle. The methods
/// below are the only way to change an epoch; they record each contribution.
public struct Epoch: Sendable {
    /// The values known so far.
    public private(set) var fix = Fix()

    /// The receiver's error estimates that the fix's accuracy may be derived from.
    package private(set) var errors = ReportedErrors()

    /// The satellites that the receiver names as used.
    package private(set) var satellitesUsed = SatelliteIDSet()

    /// Whether the receiver has named the satellites it uses, possibly with an empty list.
    private(set) var namesSatellites = false

    /// The address of the current sentence.
    public internal(set) var address = Address()

    /// Whether the current sentence has contributed anything.
    var hasContribution = false

    /// Reports of whether there is a fix, and with how many dimensions.
    var evidence = FixEvidence()

    /// The date that a sentence of this epoch reported.
    private(set) var date: ReportedDate?

    /// The origin of the headings in the attitude.
    private var headings = ReportedAttitude.Headings()

    /// Whether a binary message has set values. They are more precise than those of sentences.
    private var isRefined = false

    /// Whether the position is of high precision: below a centimetre.
    private var hasHighPrecision = false

    /// Whether the date is known from an earlier epoch.
    var isDateKnown = false

    /// Error estimates of a receiver that are not properties of the fix.
    public struct ReportedErrors: Hashable, Sendable {
        /// One sigma, from GBS.
        public var expectedError = StandardDeviation()
        /// 68 %, from UBX or a proprietary sentence.
        public var receiverAccuracy = Accuracy()
    }

    struct ReportedDate: Equatable {
        var date: CalendarDate
        /// The time of the sentence that reported the date; another sentence's may be of the next day.
        var time: TimeOfDay?
        /// Whether later epochs may use the date; not if a void sentence reported it.
        var isTrusted: Bool
        /// Whether the assembler has not used it yet.
        var isNew: Bool
    }

    /// Whether the same sentences produce the same fix from both epochs.
    func hasSameState(with other: Epoch) -> Bool {
        // `address` and `hasContribution` are set for each sentence.
        fix == other.fix && errors == other.errors && satellitesUsed == other.satellitesUsed
            && namesSatellites == other.namesSatellites
            && evidence == other.evidence && date == other.date
            && isDateKnown == other.isDateKnown && headings == other.headings
            && isRefined == other.isRefined && hasHighPrecision == other.hasHighPrecision
    }

    @inline(__always)  // The called functions return copies.
    init() {}

    // MARK: Values

    /// Sets a property of the fix unless the value is `nil`: an empty field never erases a value.
    ///
    /// A later value replaces an earlier one, but only the first contributes; see `replace`.
    @inline(__always)
    public mutating func fill<Value>(_ property: WritableKeyPath<Fix, Value?>, _ value: Value?) {
        guard let value else { return }
        if fix[keyPath: property] == nil { hasContribution = true } else if isRefined { return }
        fix[keyPath: property] = value
    }

    /// Sets a number of the fix unless it is `nil` or not finite.
    @inline(__always)
    public mutating func fill(_ property: WritableKeyPath<Fix, Double?>, _ value: Double?) {
        guard let value, value.isFinite else { return }
        if fix[keyPath: property] == nil { hasContribution = true } else if isRefined { return }
        fix[keyPath: property] = value
    }

    /// Sets the position unless it is `nil` or its latitude is out of range.
    @inline(__always)
    public mutating func fill(_ property: WritableKeyPath<Fix, Coordinate?>, _ value: Coordinate?) {
        guard let value, value.isValid else { return }
        if fix[keyPath: property] == nil { hasContribution = true } else if isRefined { return }
        fix[keyPath: property] = value
    }

    /// Sets one of the receiver's error estimates unless it is `nil` or not finite.
    @inline(__always)
    public mutating func fill(
        _ property: WritableKeyPath<ReportedErrors, Double?>, _ value: Double?
    ) {
        guard let value, value.isFinite else { return }
        if errors[keyPath: property] == nil { hasContribution = true } else if isRefined { return }
        errors[keyPath: property] = value
    }

    /// Sets a number that replaces an earlier sentence's, such as VTG's speed RMC's.
    ///
    /// It contributes even if the number is the same.
    @inline(__always)
    public mutating func replace(_ property: WritableKeyPath<Fix, Double?>, _ value: Double?) {
        guard let value, value.isFinite, !isRefined || fix[keyPath: property] == nil else { return }
        hasContribution = true
        fix[keyPath: property] = value
    }

    /// Sets a value that a binary message reports; a sentence's value is replaced.
    ///
    /// Binary messages are more precise: from now on, sentences of this epoch only fill gaps.
    mutating func refine<Value>(_ property: WritableKeyPath<Fix, Value?>, _ value: Value?) {
        guard let value else { return }
        isRefined = true
        hasContribution = true
        fix[keyPath: property] = value
    }

    /// Sets the position that a binary message reports. A high-precision position is not replaced by
    /// another one.
    mutating func refine(
        _ position: Coordinate, altitude: Double?, ellipsoidalAltitude: Double,
        isHighPrecision: Bool = false
    ) {
        guard position.isValid, isHighPrecision || !hasHighPrecision else { return }
        hasHighPrecision = isHighPrecision
        refine(\.coordinate, position)
        refine(\.ellipsoidalAltitude, ellipsoidalAltitude)
        guard let altitude else { return }
        refine(\.altitude, altitude)
        refine(\.geoidSeparation, ellipsoidalAltitude - altitude)
    }

    /// Sets the receiver's own accuracy in space: the root of the summed variances, in metres.
    mutating func refine(sphericalAccuracy: Double?) {
        errors.receiverAccuracy.spherical = sphericalAccuracy.map { Accuracy.spaceFactor * $0 }
    }

    /// Sets the receiver's own accuracy: the root of the summed variances in the plane, and one sigma
    /// in height, in metres.
    mutating func refine(
        accuracy horizontal: Double?, _ vertical: Double?, isHighPrecision: Bool = false
    ) {
        guard isHighPrecision || !hasHighPrecision else { return }
        if let horizontal {
            errors.receiverAccuracy.horizontal = Accuracy.planeFactor * horizontal
        }
        if let vertical { errors.receiverAccuracy.vertical = vertical }
    }

    /// Records that the sentence lists the used satellites.
    ///
    /// An empty list means that the satellites of the previous fix are no longer used.
    public mutating func listUsed() {
        namesSatellites = true
    }

    /// Adds a satellite that the fix uses.
    public mutating func use(_ satellite: SatelliteID) {
        namesSatellites = true
        if satellitesUsed.insert(satellite) { hasContribution = true }
    }

    /// Adds all satellites that the fix uses.
    mutating func use(_ satellites: SatelliteIDSet) {
        namesSatellites = true
        hasContribution = true
        satellitesUsed.formUnion(satellites)
    }

    /// Sets the quality if it is better than the other qualities reported in the epoch.
    public mutating func fill(quality: FixQuality?) {
        // One constellation without a fix does not count; `reportNoFix` reports that there is no fix.
        guard let quality, quality != .invalid, quality.rank > fix.quality.rank else { return }
        fix.quality = quality
        hasContribution = true
    }

    /// Sets the date. Dates in January 1980 are ignored: a receiver without a date counts from there.
    public mutating func fill(date newDate: CalendarDate?, isTrusted: Bool) {
        guard let newDate, newDate.year > 1980 || newDate.month > 1 else { return }
        guard isTrusted || date == nil else { return }
        if date == nil, !isDateKnown { hasContribution = true }
        date = ReportedDate(
            date: newDate, time: fix.timeOfDay, isTrusted: isTrusted || date?.isTrusted ?? false,
            isNew: isTrusted)
    }

    /// Returns the date if later epochs may use it and it has not been returned before.
    mutating func takeNewDate() -> (date: CalendarDate, time: TimeOfDay)? {
        guard let date, date.isNew, let time = date.time else { return nil }
        self.date?.isNew = false
        return (date.date, time)
    }

    /// Exchanges the attitude with another one.
    mutating func exchangeAttitude(_ other: inout ReportedAttitude) {
        swap(&fix.attitude, &other.attitude)
        swap(&headings, &other.headings)
    }

    /// Sets the true heading. It replaces one that was calculated from a magnetic heading.
    public mutating func fill(trueHeading: Double?) {
        guard let trueHeading, trueHeading.isFinite else { return }
        fill(\.attitude.heading, trueHeading)
        headings.isTrueReported = true
        headings.awaitsMagnetic = true
    }

    /// Sets the magnetic heading, and the true heading calculated from it unless one was reported.
    ///
    /// Both belong to one instant: each magnetic heading also replaces the true heading calculated from the
    /// previous one. A reported true heading goes with the first magnetic heading that follows it.
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

    /// Records that a sentence reports no fix. This overrides all other evidence.
    public mutating func reportNoFix() {
        updateEvidence { $0.reportNoFix() }
    }

    /// Records that a sentence with a status field reports a fix (RMC, GLL).
    ///
    /// If the receiver does not name two dimensions, the number follows from an altitude or four
    /// satellites, or else from the previous epoch.
    public mutating func reportFix() {
        let isThreeD = fix.altitude != nil || satellitesUsed.count >= 4
        updateEvidence {
            $0.supportWithoutDimensions()
            if isThreeD { $0.support(.threeD) }
        }
    }

    /// Records that a sentence with a satellite count reports a fix (GGA, GNS).
    public mutating func reportFix(satellites: Int?) {
        let isThreeD = fix.altitude != nil && (satellites ?? 0) >= 4
        updateEvidence { $0.support(isThreeD ? .threeD : .twoD) }
    }

    /// Records the dimensions of the fix that the receiver names (GSA).
    public mutating func reportFix(_ mode: FixMode) {
        updateEvidence { $0.name(mode) }
    }

    @inline(__always)
    private mutating func updateEvidence(_ change: (inout FixEvidence) -> Void) {
        let before = (evidence.isVoid, evidence.mode)
        change(&evidence)
        if before != (evidence.isVoid, evidence.mode) { hasContribution = true }
    }
}
