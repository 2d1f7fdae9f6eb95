// SPDX-License-Identifier: MIT
public import GNSS

/// A point of a GPX track or route.
public struct GPXPoint: Hashable, Sendable {
    /// The position (WGS 84).
    public var coordinate: Coordinate
    /// The elevation in metres above mean sea level; `nil` if unknown.
    public var elevation: Double?
    /// The time of the point; `nil` if unknown.
    public var time: UTCTime?
    /// The line in the file at which it begins, from 1.
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
