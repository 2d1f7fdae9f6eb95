// SPDX-License-Identifier: MIT

/// A position solution, valid or not: everything a receiver reported about one epoch.
///
/// A property that was not reported is `nil`, never 0. Units are SI and degrees.
public struct Fix: Hashable, Sendable {
    /// When the fix was determined, by the receiver's clock; `nil` until it has sent a date.
    public var time: UTCTime?

    /// The date as received, where it was impossible and `time` has been corrected by a multiple
    /// of 1024 weeks; `nil` where nothing was corrected. See `WeekRollover`.
    public var receivedDate: CalendarDate?

    /// The time of day alone, which some receivers send long before the date.
    public var timeOfDay: TimeOfDay?

    /// Dimensions; `.noFix` where there is no position.
    public var mode: FixMode = .noFix

    /// Where the position comes from.
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

    /// How the vehicle is oriented, with or without a position.
    public var attitude = Attitude()

    /// Seconds since the last correction.
    public var correctionAge: Double?

    /// Which reference station the corrections come from.
    public var correctionStation: Int?

    /// Dilution of precision, unitless.
    public var dilution = DilutionOfPrecision()

    /// How far off the position may be.
    public var accuracy = Accuracy()

    /// The receiver's own estimate of its error, one sigma.
    public var standardDeviation = StandardDeviation()

    /// How many satellites the solution used.
    public var satellitesUsed: Int?

    /// How many satellites are in view, from the last complete lists.
    public var satellitesInView: Int?

    /// Creates a fix with nothing known and no position.
    public init() {}

    /// Whether the date, though reported as received, may be 1024 weeks too early: that many weeks
    /// later is a day in the past. Also true of every old recording.
    public var isDateSuspect: Bool {
        guard receivedDate == nil, let time else { return false }
        return WeekRollover.isSuspect(time.date)
    }

    /// Whether it has nothing but an attitude: that of a compass or an autopilot without a satellite
    /// receiver.
    package var isAttitudeOnly: Bool {
        guard mode == .noFix, timeOfDay == nil, attitude != Attitude() else { return false }
        var rest = self
        rest.attitude = Attitude()
        return rest == Fix()
    }

    /// What remains known where the receiver has no position.
    package var withoutPosition: Fix {
        var fix = Fix()
        fix.dilution = dilution
        fix.magneticVariation = magneticVariation
        fix.attitude = attitude
        fix.satellitesUsed = satellitesUsed
        return fix
    }
}
