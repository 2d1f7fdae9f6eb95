// SPDX-License-Identifier: MIT

/// A position solution, valid or not: everything a receiver reported about one epoch.
///
/// A property that was not reported is `nil`, never 0. Units are SI and degrees.
public struct Fix: Hashable, Sendable {
    /// When the fix was determined, by the receiver's clock; `nil` until it has sent a date.
    public var time: UTCTime?

    /// The date as received, if it was impossible and `time` was corrected by a multiple of 1024
    /// weeks; otherwise `nil`. See `WeekRollover`.
    public var receivedDate: CalendarDate?

    /// The time of day, which some receivers send long before the date.
    public var timeOfDay: TimeOfDay?

    /// The dimensions of the fix; `.noFix` without a position.
    public var mode: FixMode = .noFix

    /// The source of the position.
    public var quality: FixQuality = .invalid

    /// Degrees, WGS 84.
    public var coordinate: Coordinate?

    /// Metres above mean sea level.
    public var altitude: Double?

    /// Metres above the WGS 84 ellipsoid.
    public var ellipsoidalAltitude: Double?

    /// Metres by which mean sea level lies above the ellipsoid.
    public var geoidSeparation: Double?

    /// Metres per second over ground.
    public var speed: Double?

    /// Degrees from true north over ground, 0 up to 360; `nil` when standing still.
    public var course: Double?

    /// Metres per second upwards, where the receiver measures it.
    public var climb: Double?

    /// Degrees from magnetic north over ground, 0 up to 360, where the receiver sends it.
    public var magneticCourse: Double?

    /// Degrees by which magnetic north lies east of true north.
    public var magneticVariation: Double?

    /// The orientation of the vehicle, with or without a position.
    public var attitude = Attitude()

    /// Seconds since the last correction.
    public var correctionAge: Double?

    /// The id of the reference station that sends the corrections.
    public var correctionStation: Int?

    /// Dilution of precision, unitless.
    public var dilution = DilutionOfPrecision()

    /// The accuracy of the position.
    public var accuracy = Accuracy()

    /// The receiver's own estimate of its error, one sigma.
    public var standardDeviation = StandardDeviation()

    /// The covariance of the position, where the receiver reports it.
    public var covariance: Covariance?

    /// The covariance of the velocity, where the receiver reports it.
    public var velocityCovariance: Covariance?

    /// The errors that the receiver vouches not to exceed; `nil` if it does not, or not now.
    public var protectionLevel: ProtectionLevel?

    /// The receiver's jamming detector; `nil` if it has none or does not report its state.
    public var jamming: JammingState?

    /// The receiver's spoofing detector; `nil` if it has none or does not report its state.
    public var spoofing: SpoofingState?

    /// The receiver's measure of narrow-band interference: 0 for none to 255.
    public var interferenceLevel: UInt8?

    /// The first frequency in hertz that the receiver reports as jammed; `nil` if there is none, or it does not
    /// report frequencies.
    public var jammedFrequency: UInt32?

    /// The gain of the receiver's amplifier, 0 to 1: it falls when more power arrives.
    public var gain: Float?

    /// The receiver's own clock, where it reports it.
    public var receiverClock: ReceiverClock?

    /// Seconds by which GPS time is ahead of UTC, where the receiver reports a valid number.
    public var leapSeconds: Int8?

    /// Whether the position can be trusted, and the evidence against it; `nil` if nothing has examined
    /// the fix.
    public var integrity: Integrity?

    /// The comparison with other receivers; `nil` unless the fix won a vote of several.
    public var vote: Vote?

    /// Whether the receiver is stationary, by its speeds and positions up to this fix; `nil` if that is unknown, or
    /// nothing has examined the fix.
    public var isStationary: Bool?

    /// The source of the corrections that the solution uses, where the receiver reports it.
    public var correctionSource: CorrectionSource?

    /// The number of satellites that the solution uses.
    public var satellitesUsed: Int?

    /// The number of satellites in view, from the last complete lists.
    public var satellitesInView: Int?

    /// Creates a fix without a position and with all values `nil`.
    public init() {}

    /// Whether the received date may be 1024 weeks too early, because the day that many weeks later
    /// is in the past. Also `true` for every old recording.
    public var isDateSuspect: Bool {
        guard receivedDate == nil, let time else { return false }
        return WeekRollover.isSuspect(time.date)
    }

    /// Whether the only value is an attitude: that of a compass or an autopilot without a satellite
    /// receiver.
    package var isAttitudeOnly: Bool {
        guard mode == .noFix, timeOfDay == nil, attitude != Attitude() else { return false }
        var rest = self
        rest.attitude = Attitude()
        (rest.integrity, rest.vote, rest.isStationary) = (nil, nil, nil)
        return rest == Fix()
    }

    /// The values that remain known when the receiver has no position.
    package var withoutPosition: Fix {
        var fix = Fix()
        fix.dilution = dilution
        fix.magneticVariation = magneticVariation
        fix.attitude = attitude
        fix.satellitesUsed = satellitesUsed
        fix.jamming = jamming
        fix.spoofing = spoofing
        fix.interferenceLevel = interferenceLevel
        fix.jammedFrequency = jammedFrequency
        fix.gain = gain
        fix.integrity = integrity
        fix.vote = vote
        return fix
    }
}
