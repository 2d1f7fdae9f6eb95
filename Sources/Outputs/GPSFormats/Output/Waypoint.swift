// SPDX-License-Identifier: MIT
public import GNSS

/// A named place in a file, such as a harbour.
public struct Waypoint: Hashable, Sendable {
    /// The position in degrees (WGS 84).
    public var coordinate: Coordinate
    /// The altitude in metres above mean sea level; `nil` if unknown.
    public var altitude: Double?
    /// The time at which the waypoint was created; `nil` if unknown.
    public var time: UTCTime?
    /// The name; `nil` if there is none.
    public var name: String?
    /// The description or, if there is none, the comment; `nil` if there is neither.
    public var description: String?
    /// The name of the symbol; `nil` if there is none.
    public var symbol: String?

    /// Creates a waypoint with only a position.
    public init(_ coordinate: Coordinate) {
        self.coordinate = coordinate
    }
}

/// A list of waypoints to be reached in order.
public struct Route: Hashable, Sendable {
    /// The name; `nil` if there is none.
    public var name: String?
    /// The description; `nil` if there is none.
    public var description: String?
    /// The waypoints, in order.
    public var points: [Waypoint] = []

    /// Creates an empty route.
    public init() {}
}
