// SPDX-License-Identifier: MIT
import GNSS

/// The place of an antenna in the vehicle, in metres from a point that all antennas are measured from.
public struct LeverArm: Hashable, Sendable {
    /// Metres towards the bow.
    public var forward: Double
    /// Metres to starboard.
    public var right: Double

    /// Creates a place.
    public init(forward: Double, right: Double) {
        self.forward = forward
        self.right = right
    }

    /// The point that antennas are measured from.
    public static let origin = LeverArm(forward: 0, right: 0)

    /// Metres to another place.
    func distance(to other: LeverArm) -> Double {
        let (x, y) = (forward - other.forward, right - other.right)
        return (x * x + y * y).squareRoot()
    }

    /// The place in the plane, with the bow pointing to a heading in degrees.
    func place(heading: Double) -> LocalPlane.Place {
        let (sine, cosine) = PortableMath.sinCos(heading.radians)
        return LocalPlane.Place(
            east: forward * sine + right * cosine, north: forward * cosine - right * sine)
    }
}

/// The direction of the bow, as far as the receivers report it.
struct BowDirection {
    /// The slowest speed in metres per second at which vehicles move where they point.
    private static let slowest = 3.0

    /// Degrees; `nil` if unknown.
    let heading: Double?
    /// The share of an arm's length by which its place is uncertain.
    let uncertainty: Double

    /// Takes a compass's heading; else the course over ground, at speed; else nothing.
    init(of fixes: some Sequence<Fix>) {
        var moving: Fix?
        for fix in fixes {
            if let heading = fix.attitude.heading {
                (self.heading, uncertainty) = (heading, 0.05)
                return
            }
            if fix.course != nil, fix.speed ?? 0 > (moving?.speed ?? Self.slowest) { moving = fix }
        }
        // Wind and current: a boat points up to 20° off its course.
        (heading, uncertainty) = moving.map { ($0.course, 0.35) } ?? (nil, 1)
    }
}
