// SPDX-License-Identifier: MIT
package import GNSS
import Glibc

/// The plane that touches the WGS 84 ellipsoid at a point. Distances and directions from that point
/// are kept, also across the poles and the date line (azimuthal equidistant).
package struct TangentPlane: Sendable {
    /// Metres to the east and to the north.
    package struct Place: Hashable, Sendable {
        package var east: Double
        package var north: Double

        /// Makes a place.
        package init(east: Double, north: Double) {
            self.east = east
            self.north = north
        }

        /// Metres from the point that the plane touches.
        package var distance: Double { (east * east + north * north).squareRoot() }

        /// Metres to another place.
        package func distance(to other: Place) -> Double {
            Place(east: other.east - east, north: other.north - north).distance
        }
    }

    /// The point that it touches.
    package let origin: Coordinate
    private let centre: (x: Double, y: Double, z: Double)
    private let latitude: (sine: Double, cosine: Double)
    private let longitude: (sine: Double, cosine: Double)

    private static let radius = 6_378_137.0
    private static let eccentricitySquared = 6.694_379_990_14e-3

    /// Lays the plane at a point.
    package init(at origin: Coordinate) {
        self.origin = origin
        latitude = Self.parts(origin.latitude)
        longitude = Self.parts(origin.longitude)
        centre = Self.cartesian(latitude, longitude)
    }

    private static func parts(_ degrees: Double) -> (sine: Double, cosine: Double) {
        let radians = degrees * .pi / 180
        return (sin(radians), cos(radians))
    }

    /// Metres from the Earth's middle, on its surface.
    private static func cartesian(
        _ latitude: (sine: Double, cosine: Double), _ longitude: (sine: Double, cosine: Double)
    ) -> (x: Double, y: Double, z: Double) {
        let flat = 1 - eccentricitySquared * latitude.sine * latitude.sine
        let prime = radius / flat.squareRoot()
        return (
            prime * latitude.cosine * longitude.cosine, prime * latitude.cosine * longitude.sine,
            prime * (1 - eccentricitySquared) * latitude.sine
        )
    }

    /// Where a coordinate lies.
    package func place(_ coordinate: Coordinate) -> Place {
        let place = Self.cartesian(
            Self.parts(coordinate.latitude), Self.parts(coordinate.longitude))
        let (x, y, z) = (place.x - centre.x, place.y - centre.y, place.z - centre.z)
        let outward = longitude.cosine * x + longitude.sine * y
        let east = longitude.cosine * y - longitude.sine * x
        let north = latitude.cosine * z - latitude.sine * outward
        let up = latitude.cosine * outward + latitude.sine * z
        let flat = Place(east: east, north: north)
        let distance = flat.distance
        // Near by, the plane is the surface: 4 mm off at 10 km.
        guard distance > 10_000 || up < -1e6 else { return flat }
        // The way along a sphere that touches the surface here.
        let angle = atan2(distance, Self.radius + up)
        let stretch = angle * Self.radius / max(distance, 1e-6)
        return Place(east: east * stretch, north: north * stretch)
    }
}
