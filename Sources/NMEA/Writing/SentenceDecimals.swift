// SPDX-License-Identifier: MIT

/// The number of decimals of each quantity in written sentences; other values than 0 to 9 are
/// clamped.
public struct SentenceDecimals: Hashable, Sendable {
    /// Decimals of the seconds of a time.
    public var seconds: Int
    /// Decimals of the minutes of a coordinate: with 4 the unit is 18 cm, with 5 it is 2 cm.
    public var minutes: Int
    /// Decimals of speeds.
    public var speed: Int
    /// Decimals of courses.
    public var course: Int
    /// Decimals of altitudes.
    public var altitude: Int
    /// Decimals of dilutions.
    public var dilution: Int
    /// Decimals of standard deviations.
    public var deviation: Int

    /// Creates decimals; the defaults are a u-blox 8's.
    public init(
        seconds: Int = 2, minutes: Int = 5, speed: Int = 3, course: Int = 2, altitude: Int = 1,
        dilution: Int = 2, deviation: Int = 1
    ) {
        self.seconds = seconds
        self.minutes = minutes
        self.speed = speed
        self.course = course
        self.altitude = altitude
        self.dilution = dilution
        self.deviation = deviation
    }

    /// Clamps a number of decimals to 0 to 9.
    static func clamp(_ decimals: Int) -> Int { min(9, max(0, decimals)) }
}
