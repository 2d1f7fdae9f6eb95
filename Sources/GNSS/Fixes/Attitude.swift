// SPDX-License-Identifier: MIT

/// How a vehicle is oriented, by a compass, several antennas or an inertial unit: not the direction
/// in which it moves.
public struct Attitude: Hashable, Sendable {
    /// Degrees from true north to where the bow points, 0 up to 360.
    public var heading: Double?

    /// Degrees from magnetic north to where the bow points, 0 up to 360.
    public var magneticHeading: Double?

    /// Degrees by which `heading` may be off, with 68 % probability, where the receiver sends it.
    public var headingAccuracy: Double?

    /// Degrees, positive with the bow up.
    public var pitch: Double?

    /// Degrees, positive to starboard.
    public var roll: Double?

    /// Metres, positive upwards.
    public var heave: Double?

    /// Degrees per second, positive to starboard.
    public var rateOfTurn: Double?

    /// Creates an attitude of which nothing is known.
    public init() {}

    /// Whether it has a heading, true or magnetic.
    package var hasHeading: Bool { heading != nil || magneticHeading != nil }

    /// Takes over from an earlier attitude what is not known.
    package mutating func fillGaps(with earlier: Attitude) {
        heading = heading ?? earlier.heading
        magneticHeading = magneticHeading ?? earlier.magneticHeading
        pitch = pitch ?? earlier.pitch
        roll = roll ?? earlier.roll
        heave = heave ?? earlier.heave
        rateOfTurn = rateOfTurn ?? earlier.rateOfTurn
    }
}
