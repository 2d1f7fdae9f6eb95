// SPDX-License-Identifier: MIT

/// A UTC time of day with nanosecond resolution. A leap second is 23:59:60.
public struct TimeOfDay: Hashable, Sendable {
    /// The number of nanoseconds since midnight: below 86 400 s, or below 86 401 s in a leap
    /// second.
    public let nanoseconds: Int64

    /// The length of a day without a leap second, in nanoseconds.
    package static let day: Int64 = 86_400_000_000_000
    private static let second: Int64 = 1_000_000_000

    /// Creates a time. Returns `nil` if a value is out of range. Second 60 is valid only in
    /// 23:59:60.
    @inlinable
    public init?(hour: Int, minute: Int, second: Int, nanosecond: Int = 0) {
        guard 0..<24 ~= hour, 0..<60 ~= minute, 0..<1_000_000_000 ~= nanosecond,
            0..<60 ~= second || (second == 60 && hour == 23 && minute == 59)
        else { return nil }
        let seconds = Int64((hour * 60 + minute) * 60 + second)
        nanoseconds = seconds * 1_000_000_000 + Int64(nanosecond)
    }

    /// Creates a time from seconds since midnight, rounded to milliseconds. Returns `nil` unless
    /// `seconds` is at least 0 and below 86 401.
    package init?(seconds: Double) {
        guard 0..<86_401 ~= seconds else { return nil }
        nanoseconds = min(Int64((seconds * 1000).rounded()), 86_400_999) * 1_000_000
    }

    /// Creates a time from nanoseconds since midnight, modulo one day.
    package init(wrapping nanoseconds: Int64) {
        let remainder = nanoseconds % Self.day
        self.nanoseconds = remainder < 0 ? remainder + Self.day : remainder
    }

    /// Creates a time from seconds since midnight, modulo one day. The number may be negative.
    package init(secondsOfDay seconds: Int) {
        self.init(wrapping: Int64(seconds % 86_400) * Self.second)
    }

    /// The hour, 0 to 23.
    public var hour: Int { isLeapSecond ? 23 : Int(nanoseconds / 3_600_000_000_000) }

    /// The minute, 0 to 59.
    public var minute: Int { isLeapSecond ? 59 : Int(nanoseconds / 60_000_000_000 % 60) }

    /// The second, 0 to 59, or 60 in a leap second.
    public var second: Int { isLeapSecond ? 60 : Int(nanoseconds / 1_000_000_000 % 60) }

    /// The nanosecond, 0 to 999 999 999.
    public var nanosecond: Int { Int(nanoseconds % 1_000_000_000) }

    /// Whether this is 23:59:60.
    public var isLeapSecond: Bool { nanoseconds >= Self.day }

    /// Returns the nanoseconds from the nearest occurrence of `earlier` to this time. The result is
    /// between -12 h and 12 h.
    public func nanoseconds(since earlier: TimeOfDay) -> Int64 {
        let difference = nanoseconds - earlier.nanoseconds
        // A day that ends with a leap second is one second longer.
        if difference > Self.day / 2 {
            return difference - Self.day - (isLeapSecond ? Self.second : 0)
        }
        if difference < -Self.day / 2 {
            return difference + Self.day + (earlier.isLeapSecond ? Self.second : 0)
        }
        return difference
    }
}
