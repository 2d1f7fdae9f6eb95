// SPDX-License-Identifier: MIT
public import GNSS

/// What happens to a receiver from outside at an epoch: set before `Observer.observe(after:)`.
public struct Disturbances: Hashable, Sendable {
    /// dB by which a jammer lowers every C/N0; from about 30 no satellite is tracked.
    public var jamming = 0.0
    /// The fix is lost, though satellites are heard.
    public var isFixLost = false
    /// Metres by which a spoofer moves the solution to the north; the rest likewise.
    public var spoofedNorth = 0.0
    /// Metres to the east.
    public var spoofedEast = 0.0
    /// Metres upwards.
    public var spoofedUp = 0.0
    /// What hides the sky instead of the configured surroundings.
    public var surroundings: Surroundings?
    /// Nanoseconds added to the receiver's own time: a date jump, or -1024 weeks.
    public var clockOffset: Int64 = 0
    /// The day that ends with a leap second, 23:59:60.
    public var leapSecondDay: CalendarDate?

    /// Nothing happens.
    public init() {}

    /// 1024 weeks back: what a receiver's week counter makes of a date that is too late for it.
    public static let weekRollover: Int64 = -1024 * 7 * 86_400 * 1_000_000_000
}
