// SPDX-License-Identifier: MIT

/// A position solution, valid or not: everything a receiver said about one epoch.
///
/// It tells the truth: what the receiver did not say is `nil`, never 0. Units are SI and degrees.
public struct Fix: Hashable, Sendable {
    /// When the fix was determined, by the receiver's clock; `nil` until it has told a date.
    public var time: UTCTime?

    /// The date as the receiver told it, where that was impossible and `time` has been put right
    /// by a multiple of 1024 weeks; `nil` where nothing was corrected. See `WeekRollover`.
    public var receivedDate: CalendarDate?

    /// The time of day alone, which some receivers tell long before the date.
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

    /// Degrees from magnetic north over ground, 0 up to 360, where the receiver tells it.
    public var magneticCourse: Double?

    /// Degrees by which magnetic north lies east of true north.
    public var magneticVariation: Double?

    /// Unitless.
    public var dilution = DilutionOfPrecision()

    /// How far off the position may be.
    public var accuracy = Accuracy()

    /// What the receiver itself believes about its error, one sigma.
    public var standardDeviation = StandardDeviation()

    /// How many satellites the solution used.
    public var satellitesUsed: Int?

    /// How many satellites are in view, from the last complete lists.
    public var satellitesInView: Int?

    /// Seconds since the last correction.
    public var correctionAge: Double?

    /// Which reference station the corrections come from.
    public var correctionStation: Int?

    /// Whether the date, though reported as it was received, may be 1024 weeks too early: so many
    /// weeks later is a day that has come. True of every old recording, too.
    public var isDateSuspect: Bool {
        guard receivedDate == nil, let time else { return false }
        return WeekRollover.isSuspect(time.date)
    }

    /// Makes an empty fix: nothing known, no position.
    public init() {}
}
