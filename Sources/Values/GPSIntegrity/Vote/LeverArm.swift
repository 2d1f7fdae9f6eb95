// SPDX-License-Identifier: MIT
import GNSS

/// The position of an antenna in the vehicle, in metres from a common reference point.
public struct LeverArm: Hashable, Sendable {
    /// The distance towards the bow in metres; negative towards the stern.
    public var forward: Double
    /// The distance to starboard in metres; negative to port.
    public var right: Double

    /// Creates an antenna position.
    public init(forward: Double, right: Double) {
        self.forward = forward
        self.right = right
    }

    /// The position of the common reference point.
    public static let origin = LeverArm(forward: 0, right: 0)

    /// Returns the distance to another antenna in metres.
    func distance(to other: LeverArm) -> Double {
        let (x, y) = (forward - other.forward, right - other.right)
        return (x * x + y * y).squareRoot()
    }

    /// Returns the position in metres east and north of the reference point if the bow points to
    /// `heading`, in degrees true.
    func offset(heading: Double) -> LocalPlane.Point {
        let (sine, cosine) = PortableMath.sinCos(heading.radians)
        return LocalPlane.Point(
            east: forward * sine + right * cosine, north: forward * cosine - right * sine)
    }
}

/// The direction of a vehicle's bow, derived from the fixes of its receivers.
struct BowDirection {
    /// The speed in metres per second above which the course is assumed to be the direction of the
    /// bow.
    private static let minimumSpeed = 3.0

    /// The heading in degrees; `nil` if unknown.
    let heading: Double?
    /// The uncertainty of an antenna's position that the uncertain direction causes, as a fraction
    /// of the lever arm's length.
    let uncertainty: Double

    /// Determines the direction from a compass heading or, at sufficient speed, from the course
    /// over ground.
    init(of fixes: some Sequence<Fix>) {
        var velocities: [LocalPlane.Point] = []
        var courses: [Double] = []
        for fix in fixes {
            if let heading = fix.attitude.heading {
                (self.heading, uncertainty) = (heading, 0.05)
                return
            }
            guard let course = fix.course, let speed = fix.speed else { continue }
            velocities.append(LocalPlane.Point(speed: speed, course: course))
            courses.append(course)
        }
        // Because of wind and current, the bow of a boat may point up to 20° away from its course.
        (heading, uncertainty) =
            Self.common(velocities).map { (courses[$0], 0.35) } ?? (nil, 1)
    }

    /// Returns the index of the velocity with the smallest sum of differences from the others, so
    /// that a single wrong velocity is not used. Of two velocities, it is the faster one. Returns
    /// `nil` if the velocity is not above `minimumSpeed`.
    private static func common(_ velocities: [LocalPlane.Point]) -> Int? {
        func key(_ index: Int) -> (Double, Double) {
            let velocity = velocities[index]
            return (
                velocities.reduce(0) { $0 + velocity.distance(to: $1) }, -velocity.distance
            )
        }
        return velocities.indices.min { key($0) < key($1) }.flatMap {
            -key($0).1 > minimumSpeed ? $0 : nil
        }
    }
}
