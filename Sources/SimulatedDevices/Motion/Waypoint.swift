// SPDX-License-Identifier: MIT
public import GNSS

/// A place to come by.
public struct Waypoint: Hashable, Sendable {
    /// Where.
    public var coordinate: Coordinate
    /// Metres above mean sea level.
    public var altitude: Double
    /// Seconds to stand there; at 0 one only comes by, in a curve.
    public var stop: Double

    /// Makes a place.
    public init(_ coordinate: Coordinate, altitude: Double = 0, stop: Double = 0) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.stop = stop
    }
}
