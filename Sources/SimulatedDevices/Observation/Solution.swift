// SPDX-License-Identifier: MIT
public import GNSS

/// The position and velocity that a receiver computes, including their errors.
public struct Solution: Hashable, Sendable {
    /// Two or three dimensions; never `.noFix`.
    public var mode: FixMode
    /// The latitude and longitude in degrees (WGS 84).
    public var coordinate: Coordinate
    /// The altitude in metres above mean sea level. In two dimensions, the last known altitude.
    public var altitude: Double
    /// The height of mean sea level above the ellipsoid, in metres.
    public var geoidSeparation: Double
    /// The speed over ground in metres per second.
    public var speed: Double
    /// The course over ground in degrees true, 0 up to 360; `nil` if the speed is too low to
    /// measure it.
    public var course: Double?
    /// The climb rate in metres per second; positive upwards.
    public var climb: Double
    /// The dilutions of precision: the factors from range error to position error.
    public var dilution: Dilution
    /// The receiver's estimate of its errors. The real errors have this distribution, except where
    /// the receiver underestimates them (see `ErrorModel`).
    public var deviations: Deviations
}

/// The dilutions of precision, computed from the geometry of the used satellites. They have no
/// unit.
public struct Dilution: Hashable, Sendable {
    /// Horizontal DOP.
    public var hdop: Double
    /// Vertical DOP; `nil` in two dimensions.
    public var vdop: Double?
    /// Position DOP; in two dimensions, it equals the horizontal DOP.
    public var pdop: Double
    /// Time DOP, for the first constellation's clock.
    public var tdop: Double
    /// Geometric DOP, for position and time.
    public var gdop: Double

}

/// The standard deviations of the position error in metres, as in GST.
public struct Deviations: Hashable, Sendable {
    /// The standard deviation of the range error to a satellite, in metres.
    public var range: Double
    /// The standard deviation of the eastward error, in metres.
    public var east: Double
    /// The standard deviation of the northward error, in metres.
    public var north: Double
    /// The standard deviation of the altitude error, in metres; `nil` in two dimensions.
    public var up: Double?
    /// The semi-major axis of the one-sigma error ellipse, in metres.
    public var semiMajor: Double
    /// The semi-minor axis of the one-sigma error ellipse, in metres.
    public var semiMinor: Double
    /// The direction of the major axis in degrees true, 0 up to 180.
    public var orientation: Double
}
