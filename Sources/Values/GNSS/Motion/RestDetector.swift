// SPDX-License-Identifier: MIT

/// Determines for each fix, live or recorded, whether the receiver is stationary.
///
/// The criteria are the same as in `MotionDetector`. The result is unknown without a position,
/// during the first five seconds, after ten seconds without a fix, and for a fix that has no speed
/// and an accuracy worse than 20 m.
package struct RestDetector: Sendable {
    /// The longest time between two fixes across which the state remains known, in seconds.
    private static let gap = 10.0
    /// The 68 % radius above which positions alone cannot prove rest, in metres.
    private static let coarse = 20.0

    private var motion = MotionDetector()
    private var clock = FixClock()

    /// Creates a detector that has not received a fix yet.
    package init() {}

    /// Adds a fix. Returns whether the receiver is stationary; `nil` if unknown.
    package mutating func isStationary(after fix: Fix) -> Bool? {
        guard fix.mode > .noFix, let coordinate = fix.coordinate else {
            self = RestDetector()
            return nil
        }
        var step = clock.step(to: fix)
        if let seconds = step, seconds < 0 || seconds > Self.gap {
            motion = MotionDetector()
            step = nil
        }
        motion.add(fix, at: coordinate, after: step)
        if fix.speedOverGround == nil, MotionDetector.accuracy(of: fix) > Self.coarse { return nil }
        switch motion.state {
        case .unknown: return nil
        case .atRest: return true
        case .moving: return false
        }
    }
}
