// SPDX-License-Identifier: MIT
public import GNSS

/// A point of a recorded track.
public struct TrackPoint: Hashable, Sendable {
    /// Seconds since the start of the track.
    public var seconds: Double
    /// WGS 84.
    public var coordinate: Coordinate
    /// Metres above mean sea level.
    public var altitude: Double

    /// Makes a point.
    public init(seconds: Double, coordinate: Coordinate, altitude: Double = 0) {
        self.seconds = seconds
        self.coordinate = coordinate
        self.altitude = altitude
    }
}
