// SPDX-License-Identifier: MIT

/// A point on the WGS 84 ellipsoid, in degrees. North and east are positive.
public struct Coordinate: Hashable, Sendable {
    /// The latitude in degrees, -90 to 90.
    public var latitude: Double

    /// The longitude in degrees, -180 to 180.
    public var longitude: Double

    /// Creates a coordinate without checking it; see `isValid`.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether the latitude is within ±90 and the longitude within ±180 degrees.
    public var isValid: Bool {
        abs(latitude) <= 90 && abs(longitude) <= 180
    }
}
