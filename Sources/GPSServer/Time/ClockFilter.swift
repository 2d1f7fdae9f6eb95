// SPDX-License-Identifier: MIT
package import GNSS

/// Decides whether the time of a fix is good enough to set the system's clock.
///
/// It uses a fix that follows three consecutive suitable fixes. These fixes are unsuitable:
///
/// - without a position, simulated, or estimated
/// - with a date that may be wrong by a multiple of 1024 weeks
/// - with a time that may be a second off
/// - during an integrity alarm
package struct ClockFilter: Sendable {
    private static let minimumFixes = 3

    /// The largest one-sigma error of a time that is used, in seconds. Receivers of u-blox report
    /// at least a second until they know the leap seconds.
    private static let largestError = 0.5

    private var validCount = 0

    /// The reason why the time of the last fix is not used; `nil` if it is used.
    package private(set) var obstacle: ClockObstacle? = .settling

    /// Creates a filter in its initial state.
    package init() {}

    /// Returns the fix's time in nanoseconds since 1970; `nil` if it must not be used.
    package mutating func time(of fix: Fix) -> Int64? {
        obstacle = Self.obstacle(to: fix)
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

    /// Returns the reason why the time of a fix must not set a clock; `nil` if it may.
    static func obstacle(to fix: Fix) -> ClockObstacle? {
        switch fix.quality {
        case .simulated: return .simulated
        case .estimated, .manual: return .estimated
        default: break
        }
        if fix.integrity?.state == .alarm { return .alarm }
        if fix.mode <= .noFix || fix.quality == .invalid { return .noFix }
        if fix.isDateSuspect || fix.receivedDate != nil { return .suspectDate }
        if let error = fix.accuracy.time, error > largestError { return .inaccurateTime }
        return fix.time == nil ? .noTime : nil
    }
}
