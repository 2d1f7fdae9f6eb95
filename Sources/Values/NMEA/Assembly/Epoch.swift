// SPDX-License-Identifier: MIT
public import GNSS

/// The fix that is assembled from the sentences of one epoch, and the data needed to complete it.
///
/// A sentence *contributes* to an epoch when it sets an unknown value or replaces a value with a
/// newer one. The last sentence that contributes ends the receiver's cycle. The methods below are
/// the only way to change an epoch; they record each contribution.
public struct Epoch: Equatable, Sendable {
    /// The values of the fix that are known so far.
    public private(set) var fix = Fix()

    /// The receiver's error estimates, from which the accuracy of the fix may be calculated.
    package private(set) var errors = ReportedErrors()

    /// The satellites that the receiver lists as used.
    package private(set) var satellitesUsed = SatelliteIDSet()

    /// The constellation of the first list of used satellites (GSA) with DOPs; `nil` if unknown.
    private var firstDilution: Constellation?
    /// The horizontal DOP that GGA or GNS reports.
    private var totalHDOP: Double?
    /// The key of the talker of the GGA; `nil` before it.
    private var talkerOfGGA: UInt16?
    /// Whether the horizontal DOPs in the lists of two constellations differ.
    private var hasPartialDilution = false

    /// Whether the receiver has listed the satellites it uses, even if the list is empty.
    private(set) var namesSatellites = false

    /// The address of the current sentence.
    public internal(set) var address = Address()

    /// Whether the current sentence has contributed.
    var hasContribution = false

    /// The evidence of whether there is a fix, and in how many dimensions.
    var evidence = FixEvidence()

    /// The address of the last contributing sentence that the receiver itself sent; `nil` if none.
    var lastContributor: Address?

    /// The date reported by a sentence or message of this epoch.
    private(set) var date: ReportedDate?
    /// The time in the latest sentence or message with a time. Unlike the time of a binary message
    /// in `fix.timeOfDay`, it may be rounded, even to the next day.
    private var sentenceTime: TimeOfDay?

    /// Whether the true heading in the attitude was reported or calculated, and the data needed to
    /// pair it with a magnetic heading.
    private var headings = ReportedAttitude.Headings()
    /// The values that later sentences of instruments refer to.
    var instrumentContext = InstrumentContext()

    /// Whether a binary message has set values. These are more precise, so sentences do not replace
    /// them.
    private(set) var isRefined = false

    /// Whether a quality was reported in a form that can express `.simulated`, such as GGA's.
    private(set) var showsSimulation = false

    /// Whether a satellite receiver has sent a sentence with the time of this epoch.
    private var hasReceiver = false

    /// Whether the current sentence only sets missing values, because another device, such as a
    /// plotter, has sent it. The device repeats the receiver's time and rounds the values.
    private var addsOnlyMissing = false

    /// The key of the talker whose sentence has set the position; see `Address.talkerKey`.
    private var positionTalker: UInt16?
    /// The key of a second talker, whose position is far from the first one's; otherwise `nil`.
    private var distantTalker: UInt16?
    /// Whether the current sentence has the talker `distantTalker`, and so contributes nothing.
    private var isDistant = false
    /// The key of a talker of one constellation that sends a position beside the GGA of all
    /// constellations (`GN`), such as a second receiver; otherwise `nil`. Its position and quality
    /// are not used, nor its velocity if another one is known.
    private var otherSolution: UInt16?

    private static let combined = Address.key("G", "N")

    @inline(__always)
    private var isOfOtherSolution: Bool { otherSolution == address.talkerKey }

    /// Whether the current sentence sets only missing values, and replaces none.
    @inline(__always)
    private var keepsOld: Bool { isRefined || addsOnlyMissing }

    /// Whether a high-precision message (NAV-HPPOSLLH) has set the position.
    private var hasHighPrecision = false

    /// Whether the date is known from an earlier epoch.
    var isDateKnown = false

    /// Whether an earlier epoch has reported a fix or the absence of one.
    var followsReport = false

    /// When bytes that are no valid sentence were received.
    enum Damage: UInt8 {
        case never
        /// During the epoch before. They may be the beginning of this one.
        case before
        /// During this epoch.
        case during
        /// After the last sentence of this epoch.
        case last
    }

    /// The last damage that may concern this epoch.
    var damage = Damage.never

    /// The GPS time of week of the epoch's binary messages, in milliseconds.
    var timeOfWeek: UInt32?

    @inline(__always)  // The called functions return copies.
    init() {}

    /// Begins a sentence. `isTimed` is `true` if it has the time of the epoch.
    @inline(__always)
    mutating func begin(_ address: Address, isTimed: Bool) {
        self.address = address
        hasContribution = false
        isDistant = distantTalker == address.talkerKey
        addsOnlyMissing = isTimed && hasReceiver && !address.isOfSatelliteReceiver
        if isTimed, address.isOfSatelliteReceiver { hasReceiver = true }
    }

    // MARK: Values

    /// Returns whether the current sentence may set a value, which is known if an earlier one has set it.
    /// The first value counts as a contribution.
    @inline(__always)
    private mutating func mayStore(isKnown: Bool) -> Bool {
        guard !isDistant else { return false }
        if !isKnown { hasContribution = true }
        return !isKnown || !keepsOld
    }

    /// Sets a property of the fix. `nil` is ignored, so an empty field never erases a value.
    ///
    /// A later value replaces an earlier one, but only the first value counts as a contribution;
    /// see `replace`.
    @inline(__always)
    public mutating func fill<Value>(_ property: WritableKeyPath<Fix, Value?>, _ value: Value?) {
        guard let value, mayStore(isKnown: fix[keyPath: property] != nil) else { return }
        fix[keyPath: property] = value
    }

    /// Sets a number of the fix if it is finite.
    @inline(__always)
    public mutating func fill(_ property: WritableKeyPath<Fix, Double?>, _ value: Double?) {
        guard let value, value.isFinite, mayStore(isKnown: fix[keyPath: property] != nil) else {
            return
        }
        fix[keyPath: property] = value
    }

    /// Sets the position, unless it is `nil`, out of range, or far from another talker's position.
    @inline(__always)
    public mutating func fill(_ property: WritableKeyPath<Fix, Coordinate?>, _ value: Coordinate?) {
        guard let value, value.isValid, !isDistant else { return }
        let talker = address.talkerKey
        if let old = fix[keyPath: property] {
            if talker != positionTalker {
                if old.isFar(from: value) {
                    (distantTalker, isDistant) = (talker, true)
                } else if positionTalker == Self.combined, talkerOfGGA == Self.combined,
                    address.isOfOneConstellation || talker == Address.key("G", "P")
                {
                    otherSolution = talker
                }
            }
            if keepsOld || isDistant || isOfOtherSolution { return }
        } else {
            hasContribution = true
        }
        positionTalker = talker
        fix[keyPath: property] = value
    }

    /// Sets one of the receiver's error estimates if it is finite.
    @inline(__always)
    package mutating func fill(
        _ property: WritableKeyPath<ReportedErrors, Double?>, _ value: Double?
    ) {
        guard let value, value.isFinite, mayStore(isKnown: errors[keyPath: property] != nil) else {
            return
        }
        errors[keyPath: property] = value
    }

    /// Sets a number, and always counts it as a contribution. Use it for a value that replaces the
    /// value of an earlier sentence: the speed in VTG replaces the speed in RMC.
    ///
    /// A number that is not finite is ignored. A value from a binary message is not replaced.
    @inline(__always)
    package mutating func replace(_ property: WritableKeyPath<Fix, Double?>, _ value: Double?) {
        guard let value, value.isFinite, mayStore(isKnown: fix[keyPath: property] != nil) else {
            return
        }
        if isOfOtherSolution, fix[keyPath: property] != nil { return }
        hasContribution = true
        fix[keyPath: property] = value
    }

    /// Whether the current sentence comes from the receiver, and the receiver's last sentence that
    /// has contributed is RMC or VTG.
    @inline(__always)
    var followsVelocity: Bool {
        guard let before = lastContributor,
            address.isOfSatelliteReceiver || address.talkerKey == before.talkerKey
        else { return false }
        return before.formatter == RMC.formatter || before.formatter == VTG.formatter
    }

    /// Sets a value reported by a binary message, and replaces a value from a sentence.
    ///
    /// Binary messages are more precise. From now on, sentences of this epoch only set missing
    /// values.
    mutating func refine<Value>(_ property: WritableKeyPath<Fix, Value?>, _ value: Value?) {
        guard let value else { return }
        isRefined = true
        hasContribution = true
        fix[keyPath: property] = value
    }

    /// Sets a position reported by a binary message. It does not replace a high-precision position.
    /// Altitudes out of range are ignored.
    mutating func refine(
        _ position: Coordinate, altitude: Double?, ellipsoidalAltitude: Double,
        isHighPrecision: Bool = false
    ) {
        guard position.isValid, isHighPrecision || !hasHighPrecision else { return }
        hasHighPrecision = isHighPrecision
        refine(\.coordinate, position)
        guard Self.heights.contains(ellipsoidalAltitude) else { return }
        refine(\.ellipsoidalAltitude, ellipsoidalAltitude)
        guard let altitude, Self.heights.contains(altitude) else { return }
        refine(\.altitude, altitude)
        refine(\.geoidSeparation, ellipsoidalAltitude - altitude)
    }

    /// Sets the receiver's own three-dimensional accuracy. The parameter is the square root of the
    /// sum of the three variances, in metres.
    mutating func refine(sphericalAccuracy: Double?) {
        errors.receiverAccuracy.spherical = sphericalAccuracy.map { Accuracy.spaceFactor * $0 }
    }

    /// Sets the receiver's own accuracy in metres. `horizontal` is the square root of the sum of
    /// the two horizontal variances; `vertical` is the one-sigma error of the altitude. 0 counts as
    /// unknown.
    mutating func refine(
        accuracy horizontal: Double?, _ vertical: Double?, isHighPrecision: Bool = false
    ) {
        guard isHighPrecision || !hasHighPrecision else { return }
        if let horizontal, horizontal > 0 {
            errors.receiverAccuracy.horizontal = Accuracy.planeFactor * horizontal
        }
        if let vertical, vertical > 0 { errors.receiverAccuracy.vertical = vertical }
    }

    /// Records that the sentence lists the satellites used, even if the list is empty.
    ///
    /// An empty list means that the satellites of the previous fix are no longer used.
    mutating func listUsed() {
        guard !isDistant else { return }
        namesSatellites = true
    }

    /// Adds a satellite that the fix uses.
    mutating func use(_ satellite: SatelliteID) {
        guard !isDistant else { return }
        namesSatellites = true
        if satellitesUsed.insert(satellite) { hasContribution = true }
    }

    /// Adds satellites that the fix uses.
    mutating func use(_ satellites: SatelliteIDSet) {
        namesSatellites = true
        hasContribution = true
        satellitesUsed.formUnion(satellites)
    }

    /// Forgets the satellites used, because a part of their list was lost. Also forgets their number if
    /// it is less than the `count` of the previous fix: GGA counts at most twelve.
    mutating func forgetUsed(knowing count: Int) {
        (satellitesUsed, namesSatellites) = (SatelliteIDSet(), false)
        if let number = fix.satellitesUsed, number < count { fix.satellitesUsed = nil }
    }

    /// Sets the quality if it is better than the other qualities reported in the epoch.
    public mutating func fill(quality: FixQuality?) {
        // `.invalid` from one constellation does not mean that there is no fix. Only `reportNoFix`
        // records that.
        guard let quality, quality != .invalid, !isDistant else { return }
        showsSimulation = true
        fill(unmarked: quality)
    }

    /// Sets the quality as `fill(quality:)` does, from a message that cannot express
    /// `.simulated`.
    mutating func fill(unmarked quality: FixQuality) {
        guard quality.rank > fix.quality.rank, !isDistant, !isOfOtherSolution else { return }
        fix.quality = quality
        hasContribution = true
    }

    /// Sets the age of the corrections in seconds, and the station that sends them.
    ///
    /// Without corrections, many receivers send zeros instead of empty fields. Therefore, if the
    /// station is 0 or missing, the age is used only if it is above 0 s, or if the fix is RTK.
    mutating func fill(correctionAge age: Double?, station: Int?, of quality: FixQuality) {
        let isRTK = quality == .rtkFixed || quality == .rtkFloat
        guard (station ?? 0) != 0 || (isRTK ? age != nil : (age ?? 0) != 0) else { return }
        fill(\.correctionAge, age)
        fill(\.correctionStation, station)
    }

    /// Sets the date. Dates that are not plausible are ignored. If `isTrusted` is `false`, the date
    /// is not used for later epochs and does not replace an earlier one.
    package mutating func fill(date newDate: CalendarDate?, isTrusted: Bool) {
        fill(date: newDate, isTrusted: isTrusted, needsFix: false)
    }

    /// Sets the date. If `needsFix` is `true`, it is not used for later epochs if this one is void.
    mutating func fill(date newDate: CalendarDate?, isTrusted: Bool = true, needsFix: Bool) {
        guard let newDate, Self.isPlausible(newDate) else { return }
        let keepsDate = addsOnlyMissing && date?.isTrusted == true
        guard date == nil || isTrusted && !keepsDate else { return }
        // A time server sends only ZDA, so each ZDA is an epoch until a fix, or the absence of one,
        // is reported. Afterwards, a ZDA between two fixes is not an epoch.
        if date == nil, !isDateKnown || needsFix && !followsReport { hasContribution = true }
        date = ReportedDate(
            date: newDate, time: sentenceTime, isTrusted: isTrusted || date?.isTrusted ?? false,
            needsFix: needsFix, isNew: isTrusted)
    }

    /// Returns the date and the time of the epoch; `nil` if there is no date with a time, if later
    /// epochs may not use the date, or if it was already returned. A date that needs a fix is
    /// returned once one is reported, or at the end of an epoch without any report.
    mutating func takeNewDate(atEnd isAtEnd: Bool) -> (date: CalendarDate, time: TimeOfDay)? {
        guard let date, date.isNew, let time = date.time,
            isDateTrusted || isAtEnd && evidence.isSilent
        else { return nil }
        self.date?.isNew = false
        let instant = UTCTime(date: date.date, time: time).nearest(fix.timeOfDay ?? time)
        return (instant.date, instant.time)
    }

    /// Corrects the reported date, which is that of the day before.
    mutating func moveDateToNextDay() {
        if let reported = date?.date { date?.date = reported.adding(days: 1) }
    }

    /// Whether an instrument such as a compass has reported an attitude. A heading in a binary
    /// message does not count, because it is part of the receiver's solution.
    var hasInstrumentAttitude: Bool {
        ReportedAttitude(attitude: fix.attitude, headings: headings).members != 0
    }

    /// Swaps the epoch's attitude and instrument values with those in `other`.
    mutating func exchangeAttitude(_ other: inout ReportedAttitude) {
        swap(&fix.attitude, &other.attitude)
        swap(&fix.instruments, &other.instruments)
        swap(&headings, &other.headings)
    }

    /// Sets the value of an instrument unless it is `nil` or not finite. It does not count as a
    /// contribution, because instruments send at any time and cannot end a cycle.
    public mutating func fill(_ quantity: Instruments.Quantity, _ value: Double?) {
        guard let value, value.isFinite else { return }
        fix.instruments[quantity] = value
    }

    /// Sets the value of an instrument, or removes the previous one if the new one is invalid.
    mutating func fill(_ quantity: Instruments.Quantity, _ value: Double?, isValid: Bool) {
        if isValid { fill(quantity, value) } else { fix.instruments.invalidate(quantity) }
    }

    /// Sets the reported true heading. It replaces a true heading calculated from a magnetic one.
    public mutating func fill(trueHeading: Double?) {
        guard let trueHeading, trueHeading.isFinite else { return }
        fill(\.attitude.heading, trueHeading)
        headings.isTrueReported = true
        headings.awaitsMagnetic = true
    }

    /// Sets the magnetic heading. If no true heading was reported, also sets the true heading
    /// calculated from it.
    ///
    /// Both headings must belong to one instant. Therefore, each magnetic heading replaces a true
    /// heading that was calculated from the previous one, and a reported true heading is paired
    /// with the first magnetic heading after it. `variation` is in degrees, positive to the east.
    package mutating func fill(magneticHeading: Double?, variation: Double? = nil) {
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

    /// Sets the standard deviations from a sentence that came before the epoch began.
    mutating func begin(with deviation: StandardDeviation) { fix.standardDeviation = deviation }

    /// Adds the attitude from a sentence that came before the epoch began.
    mutating func begin(with attitude: ReportedAttitude) {
        var sum = ReportedAttitude()
        exchangeAttitude(&sum)
        sum.add(attitude)
        exchangeAttitude(&sum)
    }

    /// Sets the epoch's time of day unless `time` is `nil`. The time of a sentence, which has
    /// hundredths of a second, does not replace the time of a binary message.
    mutating func begin(at time: TimeOfDay?, isBinary: Bool) {
        guard let time else { return }
        sentenceTime = time
        if isBinary || !isRefined || fix.timeOfDay == nil { fix.timeOfDay = time }
    }
}

extension Epoch {
    /// Sets the DOPs of a list of used satellites (GSA). `constellation` is that of the list, if
    /// known.
    ///
    /// Some receivers report the DOPs of each constellation alone. With the satellites of all
    /// constellations, the DOPs are not larger than with a part of them. Therefore, the smallest
    /// value of each DOP is used if those of two constellations differ.
    mutating func fill(_ dilution: DilutionOfPrecision, of constellation: Constellation?) {
        guard dilution != DilutionOfPrecision(), !isDistant else { return }
        var new = dilution
        if let firstDilution, let constellation, constellation != firstDilution {
            let old = fix.dilution
            if let known = old.hdop, let hdop = new.hdop, hdop != known {
                hasPartialDilution = true
                new.hdop = min(hdop, known, totalHDOP ?? known)
            }
            new.vdop = Self.smaller(new.vdop, old.vdop)
            new.pdop = Self.smaller(new.pdop, old.pdop)
        } else if firstDilution == nil {
            firstDilution = constellation
        }
        fill(\.dilution.hdop, new.hdop)
        fill(\.dilution.vdop, new.vdop)
        fill(\.dilution.pdop, new.pdop)
    }

    /// Returns whether the current GGA is used. Some receivers send two solutions, that of GPS and that
    /// of all constellations (`GN`). Then all values are those of the latter, in any order.
    mutating func takesGGA() -> Bool {
        let (talker, earlier) = (address.talkerKey, talkerOfGGA)
        guard let earlier, earlier != talker else {
            talkerOfGGA = talker
            return true
        }
        if earlier == Self.combined { return false }
        if talker == Self.combined, !keepsOld, !isDistant {
            talkerOfGGA = talker
            if let totalHDOP, fix.dilution.hdop == totalHDOP { fix.dilution.hdop = nil }
        }
        return true
    }

    /// Sets the horizontal DOP that GGA or GNS reports. It does not replace that of GSA, which may
    /// have more decimals, except for a larger one of a single constellation.
    mutating func fill(totalHDOP hdop: Double?) {
        guard let hdop, !isDistant else { return }
        totalHDOP = hdop
        let known = fix.dilution.hdop
        let isUsed = known.map { hasPartialDilution && hdop < $0 } ?? true
        if isUsed { fill(\.dilution.hdop, hdop) }
    }

    /// Returns the smaller DOP if both are known, otherwise the first.
    private static func smaller(_ new: Double?, _ old: Double?) -> Double? {
        guard let new, let old else { return new }
        return min(new, old)
    }
}
