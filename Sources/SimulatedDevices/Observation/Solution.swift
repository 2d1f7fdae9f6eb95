// SPDX-License-Identifier: MIT
public import GNSS

/// What the receiver makes of the satellites it uses: its position, with all its errors.
public struct Solution: Hashable, Sendable {
    /// Two or three dimensions; never `.noFix`.
    public var mode: FixMode
    /// WGS 84.
    public var coordinate: Coordinate
    /// Metres above mean sea level; in two dimensions held from before.
    public var altitude: Double
    /// Metres by which mean sea level lies above the ellipsoid.
    public var geoidSeparation: Double
    /// Metres per second over ground.
    public var speed: Double
    /// Degrees true over ground, 0 up to 360; `nil` when too slow for the receiver to tell.
    public var course: Double?
    /// Metres per second upwards.
    public var climb: Double
    /// What the geometry makes of a range error.
    public var dilution: Dilution
    /// How far off the receiver believes it is; its errors scatter as it says here, but for what
    /// `ErrorModel` says it does not know.
    public var deviations: Deviations

    /// Makes a solution.
    public init(
        mode: FixMode, coordinate: Coordinate, altitude: Double, geoidSeparation: Double,
        speed: Double, course: Double?, climb: Double, dilution: Dilution, deviations: Deviations
    ) {
        self.mode = mode
        self.coordinate = coordinate
        self.altitude = altitude
        self.geoidSeparation = geoidSeparation
        self.speed = speed
        self.course = course
        self.climb = climb
        self.dilution = dilution
        self.deviations = deviations
    }
}
