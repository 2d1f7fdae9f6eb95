// SPDX-License-Identifier: MIT

/// A receiver's estimate of its own error: one sigma, in metres.
public struct StandardDeviation: Hashable, Sendable {
    /// To the north or south.
    public var latitude: Double?

    /// To the east or west.
    public var longitude: Double?

    /// Up or down.
    public var altitude: Double?

    /// Along the major axis of the error ellipse.
    public var semiMajor: Double?

    /// Along the minor axis of the error ellipse.
    public var semiMinor: Double?

    /// Degrees from true north to the major axis of the error ellipse.
    public var orientation: Double?

    /// Of the ranges to the satellites, as used in the solution.
    public var range: Double?

    /// Creates deviations; unknown values are omitted.
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

    /// The root of the summed variances in the plane; from the ellipse where the halves are missing.
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
