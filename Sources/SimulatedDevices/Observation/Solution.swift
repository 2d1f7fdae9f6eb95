// SPDX-License-Identifier: MIT
public import GNSS

/// A receiver's position and velocity, with all their errors.
public struct Solution: Hashable, Sendable {
    /// Two or three dimensions; never `.noFix`.
    public var mode: FixMode
    /// WGS 84.
    public var coordinate: Coordinate
    /// Metres above mean sea level; in two dimensions the last known altitude.
    public var altitude: Double
    /// The height of mean sea level above the ellipsoid, in metres.
    public var geoidSeparation: Double
    /// Metres per second over ground.
    public var speed: Double
    /// Degrees true over ground, 0 up to 360; `nil` when too slow to be measured.
    public var course: Double?
    /// Metres per second upwards.
    public var climb: Double
    /// Dilutions of precision: the factor from range error to position error.
    public var dilution: Dilution
    /// The receiver's estimate of its errors. The real errors are distributed accordingly, except
    /// for those that the receiver underestimates (see `ErrorModel`).
    public var deviations: Deviations
}

/// Dilutions of precision computed from the geometry of the used satellites; unitless.
public struct Dilution: Hashable, Sendable {
    /// Horizontal dilution.
    public var hdop: Double
    /// Vertical dilution; `nil` in two dimensions.
    public var vdop: Double?
    /// Position dilution; in two dimensions the same as the horizontal one.
    public var pdop: Double
    /// Time dilution (of the first constellation's clock).
    public var tdop: Double
    /// Geometric dilution, of position and time.
    public var gdop: Double

}

/// Standard deviations in metres, as in GST.
public struct Deviations: Hashable, Sendable {
    /// Of the ranges to the satellites.
    public var range: Double
    /// East or west.
    public var east: Double
    /// North or south.
    public var north: Double
    /// Up or down; `nil` in two dimensions.
    public var up: Double?
    /// Along the major axis of the error ellipse.
    public var semiMajor: Double
    /// Along the minor axis.
    public var semiMinor: Double
    /// The direction of the major axis in degrees true, 0 up to 180.
    public var orientation: Double
}
