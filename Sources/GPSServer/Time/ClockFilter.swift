// SPDX-License-Identifier: MIT
package import GNSS

/// Decides whether the time of a fix is good enough for the system's clock.
///
/// Requires three valid fixes in a row. A fix without a position, a date that may be off by a
/// multiple of 1024 weeks, an integrity alarm, or simulated data restarts the count.
package struct ClockFilter: Sendable {
    private static let needed = 3

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
        guard validCount > Self.needed else {
            obstacle = .settling
            return nil
        }
        return time.unixNanoseconds
    }

    private static func obstacle(to fix: Fix) -> ClockObstacle? {
        switch fix.quality {
        case .simulated: return .simulated
        case .estimated, .manual: return .estimated
        default: break
        }
        if fix.integrity?.state == .alarm { return .alarm }
        if fix.mode <= .noFix || fix.quality == .invalid { return .noFix }
        if fix.isDateSuspect || fix.receivedDate != nil { return .suspectDate }
        return fix.time == nil ? .noTime : nil
    }
}
