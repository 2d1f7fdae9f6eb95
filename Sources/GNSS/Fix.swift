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

    @usableFromInline var measurements = Measurements()

    /// How far off the position may be.
    public var accuracy = Accuracy()

    /// What the receiver itself believes about its error, one sigma.
    public var standardDeviation = StandardDeviation()

    /// How many satellites the solution used.
    public var satellitesUsed: Int?

    /// How many satellites are in view, from the last complete lists.
    public var satellitesInView: Int?

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

// What is measured, each kept in the room of a number.
extension Fix {
    /// Degrees, WGS 84.
    @inlinable public var coordinate: Coordinate? {
        get { measurements.coordinate }
        set { measurements.coordinate = newValue }
    }

    /// Metres above mean sea level.
    @inlinable public var altitude: Double? {
        get { measurements.altitude.value }
        set { measurements.altitude.value = newValue }
    }

    /// Metres above the WGS 84 ellipsoid.
    @inlinable public var ellipsoidalAltitude: Double? {
        get { measurements.ellipsoidalAltitude.value }
        set { measurements.ellipsoidalAltitude.value = newValue }
    }

    /// Metres by which mean sea level lies above the ellipsoid.
    @inlinable public var geoidSeparation: Double? {
        get { measurements.geoidSeparation.value }
        set { measurements.geoidSeparation.value = newValue }
    }

    /// Metres per second over ground.
    @inlinable public var speed: Double? {
        get { measurements.speed.value }
        set { measurements.speed.value = newValue }
    }

    /// Degrees from true north over ground, 0 up to 360; `nil` when standing still.
    @inlinable public var course: Double? {
        get { measurements.course.value }
        set { measurements.course.value = newValue }
    }

    /// Degrees from magnetic north over ground, 0 up to 360, where the receiver tells it.
    @inlinable public var magneticCourse: Double? {
        get { measurements.magneticCourse.value }
        set { measurements.magneticCourse.value = newValue }
    }

    /// Degrees by which magnetic north lies east of true north.
    @inlinable public var magneticVariation: Double? {
        get { measurements.magneticVariation.value }
        set { measurements.magneticVariation.value = newValue }
    }

    /// Seconds since the last correction.
    @inlinable public var correctionAge: Double? {
        get { measurements.correctionAge.value }
        set { measurements.correctionAge.value = newValue }
    }

    /// Unitless.
    @inlinable public var dilution: DilutionOfPrecision {
        get { measurements.dilution }
        set { measurements.dilution = newValue }
    }
}
