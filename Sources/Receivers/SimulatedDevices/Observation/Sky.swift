// SPDX-License-Identifier: MIT
package import GNSS

/// The satellites of one or more constellations.
package struct Sky: Sendable {
    private let orbits: [(orbit: Orbit, plane: Int)]
    private let planes: [Orbit.Node]

    /// Creates a sky with all simulated satellites of some constellations.
    package init(_ constellations: some Sequence<Constellation>) {
        let all = constellations.flatMap(NominalConstellation.orbits).sorted { $0.id < $1.id }
        var planes: [Orbit.Node] = []
        orbits = all.map { orbit in
            if let plane = planes.firstIndex(of: orbit.node) { return (orbit, plane) }
            planes.append(orbit.node)
            return (orbit, planes.count - 1)
        }
        self.planes = planes
    }

    /// Returns the satellites above the horizon of a position, sorted by id. `height` is in metres
    /// above the ellipsoid.
    package func sightings(
        from coordinate: Coordinate, height: Double, daysSinceJ2000 days: Double
    ) -> [Sighting] {
        let position = WGS84.position(of: coordinate, height: height)
        let (sinLatitude, cosLatitude) = PortableMath.sinCos(coordinate.latitude.radians)
        let (sinLongitude, cosLongitude) = PortableMath.sinCos(coordinate.longitude.radians)
        let up = Vector(
            x: cosLatitude * cosLongitude, y: cosLatitude * sinLongitude, z: sinLatitude)
        var sightings: [Sighting] = []
        sightings.reserveCapacity(64)
        let nodes = planes.map { $0.direction(daysSinceJ2000: days) }
        for (orbit, plane) in orbits {
            let line = orbit.position(daysSinceJ2000: days, nodes[plane]) - position
            let rise = line.dot(up)
            guard rise >= 0 else { continue }
            let distance = line.length
            let east = line.y * cosLongitude - line.x * sinLongitude
            let outward = line.x * cosLongitude + line.y * sinLongitude
            let north = line.z * cosLatitude - outward * sinLatitude
            let across = (east * east + north * north).squareRoot()
            sightings.append(
                Sighting(
                    id: orbit.id,
                    direction: Vector(
                        x: east / distance, y: north / distance, z: rise / distance),
                    elevation: PortableMath.atan2(rise, across).degrees,
                    azimuth: PortableMath.atan2(east, north).degrees.wrappedDegrees))
        }
        return sightings
    }
}

/// A satellite above the horizon, with its direction.
package struct Sighting: Hashable, Sendable {
    /// The satellite's id.
    package var id: SatelliteID
    /// The direction to the satellite as a unit vector: east, north and up.
    package var direction: Vector
    /// The elevation in degrees above the horizon.
    package var elevation: Double
    /// The azimuth in degrees from true north, 0 up to 360.
    package var azimuth: Double

    /// Creates a sighting. `direction` must correspond to the elevation and azimuth.
    package init(id: SatelliteID, direction: Vector, elevation: Double, azimuth: Double) {
        self.id = id
        self.direction = direction
        self.elevation = elevation
        self.azimuth = azimuth
    }
}
