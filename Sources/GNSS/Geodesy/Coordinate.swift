// SPDX-License-Identifier: MIT

/// A point on the WGS 84 ellipsoid, in degrees; north and east are positive.
public struct Coordinate: Hashable, Sendable {
    /// Degrees, -90 to 90.
    public var latitude: Double

    /// Degrees, -180 to 180.
    public var longitude: Double

    /// Creates a coordinate as given; see `isValid`.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether both halves are numbers within ±90 and ±180.
    public var isValid: Bool {
        abs(latitude) <= 90 && abs(longitude) <= 180
    }
}
