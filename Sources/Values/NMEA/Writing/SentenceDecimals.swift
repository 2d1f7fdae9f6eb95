// SPDX-License-Identifier: MIT

/// The number of decimals of each quantity in written sentences. Values outside 0 to 9 are clamped.
public struct SentenceDecimals: Hashable, Sendable {
    /// The decimals of the seconds of a time.
    public var seconds: Int
    /// The decimals of the minutes of a coordinate. With 4 decimals the resolution is 18 cm, with 5
    /// it is 2 cm.
    public var minutes: Int
    /// The decimals of a speed.
    public var speed: Int
    /// The decimals of a course.
    public var course: Int
    /// The decimals of an altitude.
    public var altitude: Int
    /// The decimals of a dilution of precision.
    public var dilution: Int
    /// The decimals of a standard deviation.
    public var deviation: Int

    /// Creates the numbers of decimals. The defaults are those of a u-blox 8.
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

    /// Limits a number of decimals to 0 to 9.
    static func clamp(_ decimals: Int) -> Int { min(9, max(0, decimals)) }
}
