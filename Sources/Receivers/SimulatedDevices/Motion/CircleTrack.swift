// SPDX-License-Identifier: MIT
public import GNSS

/// A motion in a circle at constant speed. It is clockwise, or anticlockwise if the speed is
/// negative.
public struct CircleTrack: Trajectory, Hashable {
    /// The centre of the circle.
    public var center: Coordinate
    /// The radius in metres.
    public var radius: Double
    /// The speed in metres per second; negative for anticlockwise motion.
    public var speed: Double
    /// The altitude in metres above mean sea level.
    public var altitude: Double

    /// Creates a circle. By default, it has a radius of 100 m around a public square in Vienna, and
    /// the speed is 36 km/h.
    public init(
        center: Coordinate = Coordinate(latitude: 48.2066, longitude: 16.3634),
        radius: Double = 100, speed: Double = 10, altitude: Double = 171
    ) {
        self.center = center
        self.radius = radius
        self.speed = speed
        self.altitude = altitude
    }

    /// The duration is `nil`, because the motion never ends.
    public var duration: Double? { nil }

    /// Returns the state `seconds` after the start, which is north of the centre.
    public func state(after seconds: Double) -> TrueState {
        guard radius > 0, speed != 0 else {
            return TrueState(
                coordinate: center.moved(north: max(0, radius), east: 0), altitude: altitude)
        }
        let bearing = (speed * seconds / radius).truncatingRemainder(dividingBy: 2 * .pi)
        let (sine, cosine) = PortableMath.sinCos(bearing)
        let outward = outward(bearing.degrees)
        return TrueState(
            coordinate: center.moved(north: radius * cosine, east: radius * sine),
            altitude: altitude, speed: speed.magnitude,
            course: (outward + (speed > 0 ? 90 : 270)).wrappedDegrees)
    }

    /// Returns the course, in degrees true, that leads directly away from the centre at a point on
    /// the circle. `bearing` is the bearing of the point from the centre, in degrees true.
    private func outward(_ bearing: Double) -> Double {
        guard !center.isFlat(within: radius) else { return bearing }
        return Geodesic(from: center, course: bearing, length: radius).point(at: radius).course
    }
}
