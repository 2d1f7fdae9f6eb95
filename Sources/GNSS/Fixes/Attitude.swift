// SPDX-License-Identifier: MIT

/// The orientation of a vehicle, from a compass, several antennas or an inertial unit; not its
/// direction of motion.
public struct Attitude: Hashable, Sendable {
    /// Degrees from true north to where the bow points, 0 up to 360.
    public var heading: Double?

    /// Degrees from magnetic north to where the bow points, 0 up to 360.
    public var magneticHeading: Double?

    /// The accuracy of `heading` in degrees, with 68 % probability, if the receiver sends it.
    public var headingAccuracy: Double?

    /// Degrees, positive with the bow up.
    public var pitch: Double?

    /// Degrees, positive to starboard.
    public var roll: Double?

    /// Metres, positive upwards.
    public var heave: Double?

    /// Degrees per second, positive to starboard.
    public var rateOfTurn: Double?

    /// Creates an attitude with all values `nil`.
    public init() {}

    /// Whether it has a heading, true or magnetic.
    package var hasHeading: Bool { heading != nil || magneticHeading != nil }

    /// Fills missing values from an earlier attitude.
    package mutating func fillGaps(with earlier: Attitude) {
        heading = heading ?? earlier.heading
        magneticHeading = magneticHeading ?? earlier.magneticHeading
        pitch = pitch ?? earlier.pitch
        roll = roll ?? earlier.roll
        heave = heave ?? earlier.heave
        rateOfTurn = rateOfTurn ?? earlier.rateOfTurn
    }
}
