// SPDX-License-Identifier: MIT

/// Decides for each fix of a live receiver or a recording whether the receiver is stationary.
///
/// The criteria are those of `MotionDetector`. Nothing is known without a position, for the first five seconds,
/// after ten seconds without a fix, and of a fix without a speed whose accuracy is worse than 20 m.
package struct RestDetector: Sendable {
    /// The longest time between fixes after which the state is still known, in seconds.
    private static let gap = 10.0
    /// The 68 % radius in metres beyond which positions alone cannot show rest.
    private static let coarse = 20.0

    private var motion = MotionDetector()
    private var clock = FixClock()

    /// Creates a detector without a fix.
    package init() {}

    /// Adds a fix. Returns whether the receiver is stationary; `nil` if that is unknown.
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
