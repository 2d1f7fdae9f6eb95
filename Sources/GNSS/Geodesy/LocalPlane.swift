// SPDX-License-Identifier: MIT

/// An azimuthal equidistant projection around a point of the WGS 84 ellipsoid. It preserves distances
/// and directions from that point, also across the poles and the date line.
package struct LocalPlane: Equatable, Sendable {
    /// A point of the plane, in metres east and north of the origin.
    package struct Place: Hashable, Sendable {
        package var east: Double
        package var north: Double

        /// Creates a place.
        package init(east: Double, north: Double) {
            self.east = east
            self.north = north
        }

        /// The square of `distance`.
        package var squaredDistance: Double { east * east + north * north }

        /// Metres from the origin.
        package var distance: Double { squaredDistance.squareRoot() }

        /// Metres to another place.
        package func distance(to other: Place) -> Double { (other - self).distance }

        /// The displacement from `b` to `a`.
        package static func - (a: Place, b: Place) -> Place {
            Place(east: a.east - b.east, north: a.north - b.north)
        }
    }

    /// The point where the plane touches the ellipsoid.
    package let origin: Coordinate
    private let centre: Vector
    private let latitude: (sin: Double, cos: Double)
    private let longitude: (sin: Double, cos: Double)

    /// Compares the origins.
    package static func == (a: Self, b: Self) -> Bool { a.origin == b.origin }

    /// Creates the plane at a point.
    package init(at origin: Coordinate) {
        self.origin = origin
        latitude = PortableMath.sinCos(origin.latitude.radians)
        longitude = PortableMath.sinCos(origin.longitude.radians)
        centre = WGS84.position(of: origin, height: 0)
    }

    /// Projects a coordinate.
    package func place(_ coordinate: Coordinate) -> Place {
        let way = WGS84.position(of: coordinate, height: 0) - centre
        let outward = longitude.cos * way.x + longitude.sin * way.y
        let east = longitude.cos * way.y - longitude.sin * way.x
        let north = latitude.cos * way.z - latitude.sin * outward
        let up = latitude.cos * outward + latitude.sin * way.z
        let flat = Place(east: east, north: north)
        let distance = flat.distance
        // Nearby, the tangent plane is accurate enough: the error at 10 km is 4 mm.
        guard distance > 10_000 || up < -1e6 else { return flat }
        // The distance along a sphere that touches the surface at the origin.
        let angle = PortableMath.atan2(distance, WGS84.semiMajor + up)
        let stretch = angle * WGS84.semiMajor / max(distance, 1e-6)
        return Place(east: east * stretch, north: north * stretch)
    }
}
