// SPDX-License-Identifier: MIT
public import GNSS

/// A receiver's measurements at one epoch, with the ground truth.
public struct SimulatedObservation: Hashable, Sendable {
    /// The ground truth.
    public var truth: Truth
    /// The time that the receiver reports; `nil` until it knows the time.
    public var time: UTCTime?
    /// The satellites that the receiver lists, sorted by id.
    public var satellites: [ObservedSatellite]
    /// The position; `nil` without a fix.
    public var solution: Solution?
}

/// A satellite that the receiver lists.
public struct ObservedSatellite: Hashable, Sendable {
    /// The satellite's id.
    public var id: SatelliteID
    /// The elevation in degrees above the horizon, not rounded.
    public var elevation: Double
    /// The azimuth in degrees from true north, 0 up to 360, not rounded.
    public var azimuth: Double
    /// The tracked signals; empty if the satellite is listed but not tracked.
    public var signals: [ObservedSignal]
    /// Whether the solution uses the satellite.
    public var isUsed: Bool
}

/// A tracked signal of a satellite.
public struct ObservedSignal: Hashable, Sendable {
    /// The NMEA 4.11 signal ID, as in `SatelliteSignal`. 1 is the first civil signal of every
    /// constellation except Galileo, whose E1 signal is 7.
    public var signal: UInt8
    /// The carrier-to-noise density in dB-Hz, not rounded.
    public var cn0: Double
}

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

/// The ground truth of an epoch.
public struct Truth: Hashable, Sendable {
    /// A satellite above the horizon, whether or not it is tracked.
    public struct Satellite: Hashable, Sendable {
        /// The satellite's id.
        public var id: SatelliteID
        /// The elevation in degrees above the horizon.
        public var elevation: Double
        /// The azimuth in degrees from true north, 0 up to 360.
        public var azimuth: Double
    }

    /// The true time.
    public var time: UTCTime
    /// The true position and velocity of the antenna.
    public var state: TrueState
    /// The satellites above the horizon, sorted by id, including those that walls hide.
    public var satellites: [Satellite]
}
