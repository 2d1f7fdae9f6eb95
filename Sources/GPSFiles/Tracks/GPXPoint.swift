// SPDX-License-Identifier: MIT
public import GNSS

/// A point of a GPX track or route.
public struct GPXPoint: Hashable, Sendable {
    /// The position in degrees (WGS 84).
    public var coordinate: Coordinate
    /// The elevation in metres above mean sea level; `nil` if unknown.
    public var elevation: Double?
    /// The time of the point; `nil` if unknown.
    public var time: UTCTime?
    /// The number of the line in the file at which the point begins, from 1; 0 if unknown.
    public var line: Int

    /// Creates a point.
    public init(
        _ coordinate: Coordinate, elevation: Double? = nil, time: UTCTime? = nil, line: Int = 0
    ) {
        self.coordinate = coordinate
        self.elevation = elevation
        self.time = time
        self.line = line
    }
}
