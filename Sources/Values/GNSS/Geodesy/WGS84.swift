// SPDX-License-Identifier: MIT
internal import CGPSGeoid

/// The WGS 84 ellipsoid.
package enum WGS84 {
    /// The equatorial radius in metres.
    package static let semiMajor = 6_378_137.0
    /// The flattening: (a − b) / a, with the equatorial radius a and the polar radius b.
    package static let flattening = 1 / 298.257_223_563
    /// The polar radius in metres.
    static let semiMinor = semiMajor * (1 - flattening)
    /// The square of the eccentricity of a meridian.
    package static let eccentricitySquared = flattening * (2 - flattening)
    /// The eccentricity of a meridian.
    package static let eccentricity = eccentricitySquared.squareRoot()

    /// Returns the Earth-centred, Earth-fixed position of a coordinate at a height above the
    /// ellipsoid, all in metres.
    package static func position(of coordinate: Coordinate, height: Double) -> Vector {
        let (sine, cosine) = PortableMath.sinCos(coordinate.latitude.radians)
        let (east, toward) = PortableMath.sinCos(coordinate.longitude.radians)
        let primeVertical = semiMajor / (1 - eccentricitySquared * sine * sine).squareRoot()
        let fromAxis = (primeVertical + height) * cosine
        return Vector(
            x: fromAxis * toward, y: fromAxis * east,
            z: (primeVertical * (1 - eccentricitySquared) + height) * sine)
    }

    /// Converts an Earth-centred, Earth-fixed point to a coordinate and a height above the
    /// ellipsoid, in metres. Returns `nil` for a point less than 6000 km or at least a million km
    /// from the Earth's centre.
    ///
    /// It uses Bowring's formula, which is accurate to a micrometre up to the orbits of satellites.
    package static func geodeticPosition(
        of point: Vector
    ) -> (coordinate: Coordinate, height: Double)? {
        let distance = (point.x * point.x + point.y * point.y).squareRoot()
        guard point.length > 6_000_000, point.length < 1e9 else { return nil }
        let start = PortableMath.atan2(point.z * semiMajor, distance * semiMinor)
        let (sine, cosine) = PortableMath.sinCos(start)
        let second = eccentricitySquared / (1 - eccentricitySquared)
        let latitude = PortableMath.atan2(
            point.z + second * semiMinor * sine * sine * sine,
            distance - eccentricitySquared * semiMajor * cosine * cosine * cosine)
        let (latitudeSine, latitudeCosine) = PortableMath.sinCos(latitude)
        let root = (1 - eccentricitySquared * latitudeSine * latitudeSine).squareRoot()
        let height =
            distance * latitudeCosine + point.z * latitudeSine - semiMajor * root
        let coordinate = Coordinate(
            latitude: latitude.degrees,
            longitude: PortableMath.atan2(point.y, point.x).degrees)
        return (coordinate, height)
    }

    /// Returns the east, north and up components of an Earth-fixed vector, as seen from `position`.
    package static func local(
        _ vector: Vector, at position: Coordinate
    ) -> (east: Double, north: Double, up: Double) {
        let (latitudeSine, latitudeCosine) = PortableMath.sinCos(position.latitude.radians)
        let (sine, cosine) = PortableMath.sinCos(position.longitude.radians)
        let outward = cosine * vector.x + sine * vector.y
        return (
            east: cosine * vector.y - sine * vector.x,
            north: latitudeCosine * vector.z - latitudeSine * outward,
            up: latitudeCosine * outward + latitudeSine * vector.z
        )
    }

    /// Returns the Earth-fixed vector with these components, as seen from `position`: the inverse of
    /// `local(_:at:)`.
    package static func vector(
        east: Double, north: Double, up: Double, at position: Coordinate
    ) -> Vector {
        let (latitudeSine, latitudeCosine) = PortableMath.sinCos(position.latitude.radians)
        let (sine, cosine) = PortableMath.sinCos(position.longitude.radians)
        let outward = latitudeCosine * up - latitudeSine * north
        return Vector(
            x: outward * cosine - sine * east, y: outward * sine + cosine * east,
            z: latitudeCosine * north + latitudeSine * up)
    }
}

/// A vector with three components: a position in metres, or a direction.
package struct Vector: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var z: Double

    package init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    package var length: Double { (x * x + y * y + z * z).squareRoot() }

    package func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }

    package static func - (a: Vector, b: Vector) -> Vector {
        Vector(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
    }
}

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

/// A coarse geoid model: EGM96, interpolated from a grid with a spacing of 2°.
///
/// The root mean square difference from EGM96 is 1 m. The difference is below 4 m at 99 % of places
/// and up to 17 m near high mountains and deep trenches.
package enum GeoidModel {
    /// Returns the height of mean sea level above the ellipsoid in metres; `nil` if the position is
    /// not valid.
    package static func separation(at position: Coordinate) -> Double? {
        guard position.isValid else { return nil }
        let y = (position.latitude + 90) / 2
        let x = (position.longitude + 180) / 2
        let row = min(Int32(y), 89)
        let column = min(Int32(x), 179)
        let up = y - Double(row)
        let across = x - Double(column)
        func height(_ row: Int32, _ column: Int32) -> Double { Double(geoid_height(row, column)) }
        let south = height(row, column) * (1 - across) + height(row, column + 1) * across
        let north = height(row + 1, column) * (1 - across) + height(row + 1, column + 1) * across
        return south * (1 - up) + north * up
    }
}
