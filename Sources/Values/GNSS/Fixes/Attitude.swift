// SPDX-License-Identifier: MIT

/// The orientation of a vehicle, measured by a compass, several antennas or an inertial unit. It
/// can differ from the direction of motion.
public struct Attitude: Hashable, Sendable {
    /// The direction of the bow in degrees from true north, 0 up to 360.
    public var heading: Double?

    /// The direction of the bow in degrees from magnetic north, 0 up to 360.
    public var magneticHeading: Double?

    /// The 68 % accuracy of `heading` in degrees; `nil` if the receiver does not send it.
    public var headingAccuracy: Double?

    /// The pitch in degrees; positive if the bow is up.
    public var pitch: Double?

    /// The roll in degrees; positive to starboard.
    public var roll: Double?

    /// The heave in metres; positive upwards.
    public var heave: Double?

    /// The rate of turn in degrees per second; positive to starboard.
    public var rateOfTurn: Double?

    /// Creates an attitude with all values `nil`.
    public init() {}

    /// Whether a true or a magnetic heading is known.
    package var hasHeading: Bool { heading != nil || magneticHeading != nil }

    /// Fills missing values from an earlier attitude, except `headingAccuracy`.
    package mutating func fillGaps(with earlier: Attitude) {
        heading = heading ?? earlier.heading
        magneticHeading = magneticHeading ?? earlier.magneticHeading
        pitch = pitch ?? earlier.pitch
        roll = roll ?? earlier.roll
        heave = heave ?? earlier.heave
        rateOfTurn = rateOfTurn ?? earlier.rateOfTurn
    }
}
