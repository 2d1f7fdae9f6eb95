// SPDX-License-Identifier: MIT

/// What has been said so far about one instant: the sheet on which every sentence writes.
///
/// Silence never erases knowledge: contributions go through `fill`, which ignores `nil`.
public struct Epoch: Sendable {
    /// Degrees, WGS 84. Never set from a sentence that calls itself void.
    public var coordinate: Coordinate?
    /// Metres above mean sea level.
    public var altitude: Double?
    /// Metres above the ellipsoid, where a receiver sends it instead of altitude and separation.
    public var ellipsoidalAltitude: Double?
    /// Metres by which mean sea level lies above the ellipsoid.
    public var geoidSeparation: Double?
    /// Metres per second over ground.
    public private(set) var speed: Double?
    /// Degrees from true north over ground.
    public private(set) var course: Double?
    /// Degrees from magnetic north over ground.
    public var magneticCourse: Double?
    /// Degrees by which magnetic north lies east of true north.
    public var magneticVariation: Double?
    /// Unitless.
    public var dilution = DilutionOfPrecision()
    /// How many satellites the receiver counts as used.
    public var satelliteCount: Int?
    /// Which satellites the receiver names as used.
    public var satellitesUsed = SatelliteIDSet()
    /// One sigma, from GST.
    public var standardDeviation = StandardDeviation()
    /// One sigma, from GBS.
    public var expectedError = StandardDeviation()
    /// 68 %, from a proprietary sentence.
    public var receiverAccuracy = Accuracy()
    /// Seconds since the last correction.
    public var correctionAge: Double?
    /// Which reference station the corrections come from.
    public var correctionStation: Int?

    /// The best quality any sentence claimed.
    public private(set) var quality: FixQuality?
    /// What was said about there being a fix at all.
    var evidence = FixEvidence()

    private var isMotionReplaced = false
    private var isAltitudeReplaced = false

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

    /// Notes speed and course over ground; a later sentence replaces an earlier one's.
    ///
    /// Chartplotters send newer values in VTG than in the RMC before it, so that replacing is a
    /// contribution even where the value happens to be the same.
    public mutating func setMotion(speed newSpeed: Double?, course newCourse: Double?) {
        if speed != nil, newSpeed != nil { isMotionReplaced = true }
        speed.fill(newSpeed)
        course.fill(newCourse)
    }

    /// Notes an altitude above mean sea level that takes the place of the one known, in metres.
    ///
    /// As with motion, replacing is a contribution even where the value happens to be the same.
    public mutating func replaceAltitude(_ newAltitude: Double?) {
        guard let newAltitude else { return }
        if altitude != nil { isAltitudeReplaced = true }
        altitude = newAltitude
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

    /// Which kinds of things are known: a sentence that adds to them contributes to the fix.
    @inline(__always)
    func facts(isDateKnown: Bool) -> Facts {
        var facts: Facts = []
        if coordinate != nil { facts.insert(.position) }
        if altitude != nil || ellipsoidalAltitude != nil { facts.insert(.altitude) }
        if geoidSeparation != nil { facts.insert(.separation) }
        if speed != nil { facts.insert(.speed) }
        if course != nil { facts.insert(.course) }
        if isMotionReplaced { facts.insert(.replacedMotion) }
        if isAltitudeReplaced { facts.insert(.replacedAltitude) }
        if dilution.hdop != nil { facts.insert(.hdop) }
        if dilution.vdop != nil { facts.insert(.vdop) }
        if dilution.pdop != nil { facts.insert(.pdop) }
        if satelliteCount != nil { facts.insert(.satelliteCount) }
        if !standardDeviation.isEmpty { facts.insert(.standardDeviation) }
        if !expectedError.isEmpty { facts.insert(.expectedError) }
        if receiverAccuracy.horizontal != nil { facts.insert(.receiverAccuracy) }
        if isDateKnown || date != nil { facts.insert(.date) }
        if evidence.isVoid { facts.insert(.void) }
        switch mode {
        case .noFix: break
        case .twoD: facts.insert(.twoD)
        case .threeD: facts.formUnion([.twoD, .threeD])
        }
        return facts
    }

    struct Facts: OptionSet {
        let rawValue: UInt32
        static let position = Facts(rawValue: 1 << 0)
        static let altitude = Facts(rawValue: 1 << 1)
        static let separation = Facts(rawValue: 1 << 2)
        static let speed = Facts(rawValue: 1 << 3)
        static let course = Facts(rawValue: 1 << 4)
        static let hdop = Facts(rawValue: 1 << 5)
        static let vdop = Facts(rawValue: 1 << 6)
        static let pdop = Facts(rawValue: 1 << 7)
        static let satelliteCount = Facts(rawValue: 1 << 8)
        static let standardDeviation = Facts(rawValue: 1 << 9)
        static let expectedError = Facts(rawValue: 1 << 10)
        static let receiverAccuracy = Facts(rawValue: 1 << 11)
        static let date = Facts(rawValue: 1 << 12)
        static let void = Facts(rawValue: 1 << 13)
        static let twoD = Facts(rawValue: 1 << 14)
        static let threeD = Facts(rawValue: 1 << 15)
        static let replacedMotion = Facts(rawValue: 1 << 16)
        static let replacedAltitude = Facts(rawValue: 1 << 17)
    }
}

extension Optional {
    /// Takes the new value if there is one; silence never erases knowledge.
    @inlinable
    package mutating func fill(_ newValue: Wrapped?) {
        if let newValue { self = newValue }
    }
}
