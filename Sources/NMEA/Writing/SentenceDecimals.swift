// SPDX-License-Identifier: MIT

/// Digits after the points of a sentence's numbers, 0 to 9 each, else the nearest of these.
public struct SentenceDecimals: Hashable, Sendable {
    /// Of the seconds of a time.
    public var seconds: Int
    /// Of the minutes of a coordinate: 4 is 18 cm, 5 is 2 cm.
    public var minutes: Int
    /// Of speeds.
    public var speed: Int
    /// Of courses.
    public var course: Int
    /// Of altitudes.
    public var altitude: Int
    /// Of dilutions.
    public var dilution: Int
    /// Of standard deviations.
    public var deviation: Int

    /// Creates decimals; what is left out is as a u-blox 8 has it.
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

    /// The nearest number of decimals from 0 to 9.
    static func clamp(_ decimals: Int) -> Int { min(9, max(0, decimals)) }
}
