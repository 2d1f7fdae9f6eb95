// SPDX-License-Identifier: MIT
public import GNSS

/// A receiver's position and velocity, with all their errors.
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
    /// Degrees true over ground, 0 up to 360; `nil` when too slow to be measured.
    public var course: Double?
    /// Metres per second upwards.
    public var climb: Double
    /// Dilutions of precision: the factor from range error to position error.
    public var dilution: Dilution
    /// The receiver's estimate of its errors; they scatter accordingly, except for those that
    /// `ErrorModel` says it is not aware of.
    public var deviations: Deviations
}

/// Dilutions of precision computed from the geometry of the used satellites; unitless.
public struct Dilution: Hashable, Sendable {
    /// In the plane.
    public var hdop: Double
    /// In height; `nil` in two dimensions.
    public var vdop: Double?
    /// In space; in two dimensions that in the plane.
    public var pdop: Double
    /// In time (of the first constellation's clock).
    public var tdop: Double
    /// In space and time.
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
    /// Degrees true of the major axis, 0 up to 180.
    public var orientation: Double
}
