// SPDX-License-Identifier: MIT

/// An azimuthal equidistant projection around a point of the WGS 84 ellipsoid. It preserves
/// distances and directions from that point, even across the poles and the date line.
package struct LocalPlane: Equatable, Sendable {
    /// A point on the plane, in metres east and north of the origin.
    package struct Point: Hashable, Sendable {
        package var east: Double
        package var north: Double

        /// Creates a point on the plane.
        package init(east: Double, north: Double) {
            self.east = east
            self.north = north
        }

        /// Creates the vector of a velocity from a speed and a course in degrees.
        package init(speed: Double, course: Double) {
            let (sine, cosine) = PortableMath.sinCos(course.radians)
            self.init(east: speed * sine, north: speed * cosine)
        }

        /// The square of `distance`, in square metres.
        package var squaredDistance: Double { east * east + north * north }

        /// The distance from the origin in metres.
        package var distance: Double { squaredDistance.squareRoot() }

        /// Returns the distance to another point in metres.
        package func distance(to other: Point) -> Double { (other - self).distance }

        /// Returns the displacement from `b` to `a`, in metres east and north.
        package static func - (a: Point, b: Point) -> Point {
            Point(east: a.east - b.east, north: a.north - b.north)
        }

        /// Returns the sum of two displacements.
        package static func + (a: Point, b: Point) -> Point {
            Point(east: a.east + b.east, north: a.north + b.north)
        }

        /// Returns a displacement multiplied by a number.
        package static func * (a: Point, factor: Double) -> Point {
            Point(east: a.east * factor, north: a.north * factor)
        }

        /// Returns a displacement divided by a number.
        package static func / (a: Point, divisor: Double) -> Point {
            Point(east: a.east / divisor, north: a.north / divisor)
        }
    }

    /// The point where the plane touches the ellipsoid.
    package let origin: Coordinate
    private let centre: Vector
    private let latitude: (sin: Double, cos: Double)
    private let longitude: (sin: Double, cos: Double)

    /// Whether two planes have the same origin.
    package static func == (a: Self, b: Self) -> Bool { a.origin == b.origin }

    /// Creates the plane that touches the ellipsoid at a point.
    package init(at origin: Coordinate) {
        self.origin = origin
        latitude = PortableMath.sinCos(origin.latitude.radians)
        longitude = PortableMath.sinCos(origin.longitude.radians)
        centre = WGS84.position(of: origin, height: 0)
    }

    /// Projects a coordinate onto the plane.
    package func point(at coordinate: Coordinate) -> Point {
        let way = WGS84.position(of: coordinate, height: 0) - centre
        let outward = longitude.cos * way.x + longitude.sin * way.y
        let east = longitude.cos * way.y - longitude.sin * way.x
        let north = latitude.cos * way.z - latitude.sin * outward
        let up = latitude.cos * outward + latitude.sin * way.z
        let flat = Point(east: east, north: north)
        let distance = flat.distance
        // Near the origin, the tangent plane is accurate enough: the error at 10 km is 4 mm.
        guard distance > 10_000 || up < -1e6 else { return flat }
        // Farther away, use the distance along a sphere that touches the ellipsoid at the origin.
        let angle = PortableMath.atan2(distance, WGS84.semiMajor + up)
        let stretch = angle * WGS84.semiMajor / max(distance, 1e-6)
        return flat * stretch
    }
}
