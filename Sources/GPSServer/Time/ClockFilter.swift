// SPDX-License-Identifier: MIT
package import GNSS

/// Decides which fixes' time is good enough for the system's clock.
///
/// Three valid fixes in a row come first; a fix without a position, a date that may be a multiple of
/// 1024 weeks off, or anything simulated begins anew.
package struct ClockFilter: Sendable {
    private static let needed = 3

    private var validCount = 0

    /// Why the time of the last fix is not used; `nil` where it is.
    package private(set) var obstacle: ClockObstacle? = .settling

    /// Creates a filter that has seen nothing.
    package init() {}

    /// The fix's time in nanoseconds since 1970, where it may be used.
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
