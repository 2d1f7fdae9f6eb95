// SPDX-License-Identifier: MIT

/// The one-sigma errors that a receiver reports, in metres (GST).
public struct StandardDeviation: Hashable, Sendable {
    /// The error of the latitude.
    public var latitude: Double?

    /// The error of the longitude.
    public var longitude: Double?

    /// The error of the altitude.
    public var altitude: Double?

    /// The error along the major axis of the error ellipse.
    public var semiMajor: Double?

    /// The error along the minor axis of the error ellipse.
    public var semiMinor: Double?

    /// The direction of the major axis of the error ellipse, in degrees from true north.
    public var orientation: Double?

    /// The root mean square error of the ranges used in the solution.
    public var range: Double?

    /// Creates standard deviations. Omitted values are unknown.
    public init(
        latitude: Double? = nil, longitude: Double? = nil, altitude: Double? = nil,
        semiMajor: Double? = nil, semiMinor: Double? = nil, orientation: Double? = nil,
        range: Double? = nil
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.semiMajor = semiMajor
        self.semiMinor = semiMinor
        self.orientation = orientation
        self.range = range
    }

    /// The square root of the summed variances of latitude and longitude, in metres. If either is
    /// missing, the two axes of the error ellipse are used. `nil` if both pairs are incomplete.
    public var horizontal: Double? {
        if let latitude, let longitude {
            return (latitude * latitude + longitude * longitude).squareRoot()
        }
        if let semiMajor, let semiMinor {
            return (semiMajor * semiMajor + semiMinor * semiMinor).squareRoot()
        }
        return nil
    }
}
