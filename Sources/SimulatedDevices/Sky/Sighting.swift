// SPDX-License-Identifier: MIT
package import GNSS

/// A satellite above the horizon.
package struct Sighting: Hashable, Sendable {
    /// Which satellite.
    package var id: SatelliteID
    /// East, north and up: the direction to it, of length 1.
    package var direction: Vector
    /// Degrees above the horizon.
    package var elevation: Double
    /// Degrees from true north, 0 up to 360.
    package var azimuth: Double

    /// Makes a sighting; the direction must fit the angles.
    package init(id: SatelliteID, direction: Vector, elevation: Double, azimuth: Double) {
        self.id = id
        self.direction = direction
        self.elevation = elevation
        self.azimuth = azimuth
    }
}
