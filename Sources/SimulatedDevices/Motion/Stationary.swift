// SPDX-License-Identifier: MIT
public import GNSS

/// Standing still.
public struct Stationary: Trajectory, Hashable {
    /// Where.
    public var coordinate: Coordinate
    /// Metres above mean sea level.
    public var altitude: Double
    /// Seconds; `nil` for ever.
    public var duration: Double?

    /// Makes a stand.
    public init(at coordinate: Coordinate, altitude: Double = 0, for duration: Double? = nil) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.duration = duration
    }

    /// The same at any time.
    public func state(after seconds: Double) -> TrueState {
        TrueState(coordinate: coordinate, altitude: altitude)
    }
}

extension Trajectory where Self == Stationary {
    /// Standing still, for ever or for some seconds; `altitude` in metres above mean sea level.
    public static func stationary(
        at coordinate: Coordinate, altitude: Double = 0, for duration: Double? = nil
    ) -> Stationary {
        Stationary(at: coordinate, altitude: altitude, for: duration)
    }
}
