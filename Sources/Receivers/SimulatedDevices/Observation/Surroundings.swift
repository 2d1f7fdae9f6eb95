// SPDX-License-Identifier: MIT
import GNSS

/// The obstacles between the antenna and the sky.
public struct Surroundings: Hashable, Sendable {
    /// An obstacle that hides the sky from the horizon to an elevation.
    public struct Wall: Hashable, Sendable {
        /// The direction of the wall's left edge in degrees true.
        public var from: Double
        /// The direction of the wall's right edge in degrees true, clockwise from the left edge. A
        /// wall all around has a right edge of 360 more than the left edge.
        public var to: Double
        /// The elevation up to which the wall hides the sky, in degrees.
        public var elevation: Double

        /// Creates a wall.
        public init(from: Double, to: Double, elevation: Double) {
            self.from = from
            self.to = to
            self.elevation = elevation
        }
    }

    /// The elevation below which the receiver uses no satellites, in degrees.
    public var mask: Double
    /// The obstacles that hide the sky.
    public var walls: [Wall]
    /// Whether walls reflect signals, which sometimes increases the range errors; see `ErrorModel`.
    public var hasMultipath: Bool

    /// Creates surroundings. By default, nothing hides the sky.
    public init(mask: Double = 5, walls: [Wall] = [], hasMultipath: Bool = false) {
        self.mask = mask
        self.walls = walls
        self.hasMultipath = hasMultipath
    }

    /// Surroundings without obstacles, with an elevation mask of 5°.
    public static let openSky = Surroundings()

    /// Returns the surroundings of a street crossing between tall buildings, with multipath.
    /// `street` is the direction of the wider street in degrees true.
    public static func urban(street: Double = 30) -> Surroundings {
        let walls = [
            (20.0, 75.0, 40.0), (75, 105, 15), (105, 160, 40),
            (200, 255, 30), (255, 285, 15), (285, 340, 30),
        ]
        return Surroundings(
            mask: 10,
            walls: walls.map { Wall(from: street + $0.0, to: street + $0.1, elevation: $0.2) },
            hasMultipath: true)
    }

    /// Returns whether a wall hides a direction. Angles are in degrees.
    public func hides(elevation: Double, azimuth: Double) -> Bool {
        walls.contains { wall in
            elevation < wall.elevation
                && (wall.to - wall.from >= 360
                    || (azimuth - wall.from).wrappedDegrees <= (wall.to - wall.from).wrappedDegrees)
        }
    }
}
