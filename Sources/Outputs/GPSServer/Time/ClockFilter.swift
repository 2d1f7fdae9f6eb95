// SPDX-License-Identifier: MIT
package import GNSS

/// Decides whether the time of a fix is good enough to set the system's clock.
///
/// The time of a fix is used if the three fixes before it were suitable, too. A fix is not
/// suitable:
///
/// - without a position, or if it is simulated or estimated
/// - if its position was entered by the user, unless the receiver reports the accuracy of its time
/// - if its date may be wrong by a multiple of 1024 weeks, is earlier than this release,
///   or more than 1024 weeks later
/// - if its time may be a second off
/// - if its data has waited in a buffer, or its time has jumped
/// - during an integrity alarm
package struct ClockFilter: Sendable {
    private static let minimumFixes = 3

    /// The largest one-sigma error of a time that is used, in seconds. u-blox receivers report at
    /// least a second until they know the leap seconds.
    private static let largestError = 0.5

    /// The largest change of the delay between two fixes, in nanoseconds. If more than five seconds
    /// have passed between the fixes, a tenth of that time is permitted, because the clock may be
    /// slewed by as much.
    private static let largestJump: UInt64 = 500_000_000

    private var validCount = 0
    /// The time of the last fix and of the arrival of its burst, in nanoseconds.
    private var last: (time: Int64, arrival: Int64)?

    /// The reason why the time of the last fix is not used; `nil` if it is used.
    package private(set) var obstacle: ClockObstacle? = .settling

    /// Creates a filter in its initial state.
    package init() {}

    /// Returns the fix's time in nanoseconds since 1970; `nil` if it must not be used.
    ///
    /// `arrival` is the time of the monotonic clock at the start of the fix's burst, in nanoseconds;
    /// `nil` if it is not known.
    package mutating func time(of fix: Fix, arrival: Int64? = nil) -> Int64? {
        let isJump = hasJumped(fix, arrival)
        obstacle = Self.obstacle(to: fix) ?? (isJump ? .jump : nil)
        guard let time = fix.time, obstacle == nil else {
            validCount = 0
            return nil
        }
        validCount += 1
        guard validCount > Self.minimumFixes else {
            obstacle = .settling
            return nil
        }
        return time.unixNanoseconds
    }

    /// Returns whether the time between the last two fixes differs too much from the time between
    /// their arrivals. The cause may be data that has waited in a buffer, because the machine was
    /// suspended, this process was stopped or a radio link was interrupted.
    private mutating func hasJumped(_ fix: Fix, _ arrival: Int64?) -> Bool {
        guard let arrival, let time = fix.time?.unixNanoseconds else { return false }
        let former = exchange(&last, with: (time: time, arrival: arrival))
        guard let former else { return false }
        let elapsed = arrival &- former.arrival
        let change = (time &- former.time) &- elapsed
        return change.magnitude > max(Self.largestJump, elapsed.magnitude / 10)
    }

    /// Returns the reason why the time of a fix of a live receiver must not set a clock; `nil` if it
    /// may.
    static func obstacle(to fix: Fix) -> ClockObstacle? {
        switch fix.quality {
        case .simulated: return .simulated
        case .estimated: return .estimated
        // A timing receiver with a surveyed position reports how accurate its time is.
        case .manual where fix.accuracy.time == nil: return .estimated
        default: break
        }
        if fix.integrity?.state == .alarm { return .alarm }
        if fix.mode <= .noFix || fix.quality == .invalid { return .noFix }
        if fix.receivedDate != nil || fix.hasImpossibleDate { return .suspectDate }
        if let error = fix.accuracy.time, error > largestError { return .inaccurateTime }
        return fix.time == nil ? .noTime : nil
    }
}
