// SPDX-License-Identifier: MIT
package import GNSS

/// Decides whether the time of a fix is good enough for the system's clock.
///
/// Three valid fixes in a row come first; a fix without a position, a date that may be a multiple of
/// 1024 weeks off, or anything simulated begins anew.
package struct ClockFilter: Sendable {
    private static let needed = 3

    private var validCount = 0

    /// The reason for not using the time of the last fix; `nil` if it is used.
    package private(set) var obstacle: ClockObstacle? = .settling

    /// Creates a filter without fixes.
    package init() {}

    /// The fix's time in nanoseconds since 1970; `nil` if it must not be used.
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
        if fix.mode <= .noFix || fix.quality == .invalid { return .noFix }
        if fix.isDateSuspect || fix.receivedDate != nil { return .suspectDate }
        return fix.time == nil ? .noTime : nil
    }
}
