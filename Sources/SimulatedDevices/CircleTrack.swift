// SPDX-License-Identifier: MIT
public import GNSS
import Glibc

/// Driving round a circle, clockwise, at a steady speed.
public struct CircleTrack: Hashable, Sendable {
    /// The middle of the circle.
    public var center: Coordinate
    /// Metres.
    public var radius: Double
    /// Metres per second.
    public var speed: Double
    /// Metres above mean sea level.
    public var altitude: Double

    /// Makes a circle. By default one of 100 m round a square in Vienna, at 36 km/h.
    public init(
        center: Coordinate = Coordinate(latitude: 48.2066, longitude: 16.3634),
        radius: Double = 100, speed: Double = 10, altitude: Double = 171
    ) {
        self.center = center
        self.radius = radius
        self.speed = speed
        self.altitude = altitude
    }

    /// Where on the circle one is.
    struct Point {
        var coordinate: Coordinate
        /// Degrees true.
        var course: Double
    }

    /// Where one is after some seconds; the start is north of the middle, heading east.
    func point(after seconds: Double) -> Point {
        let turn = radius > 0 ? speed * seconds / radius : 0
        let bearing = turn.truncatingRemainder(dividingBy: 2 * .pi)
        return Point(
            coordinate: center.moved(north: radius * cos(bearing), east: radius * sin(bearing)),
            course: (bearing * 180 / .pi + 90).truncatingRemainder(dividingBy: 360))
    }
}

extension Coordinate {
    /// The point some metres away, on the ellipsoid's tangent plane; across the date line it
    /// goes on from the other side.
    func moved(north: Double, east: Double) -> Coordinate {
        let eccentricitySquared = 0.006_694_379_990_14
        let phi = latitude * .pi / 180
        let root = (1 - eccentricitySquared * sin(phi) * sin(phi)).squareRoot()
        let primeVertical = 6_378_137 / root
        let meridian = primeVertical * (1 - eccentricitySquared) / (root * root)
        let eastward = longitude + east / (primeVertical * cos(phi)) * 180 / .pi
        return Coordinate(
            latitude: latitude + north / meridian * 180 / .pi,
            longitude: eastward - 360 * (eastward / 360).rounded())
    }
}
