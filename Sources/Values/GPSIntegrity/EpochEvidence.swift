// SPDX-License-Identifier: MIT
import GNSS

/// The input of a `FixTest`: a fix, with values derived from earlier fixes.
struct EpochEvidence: Sendable {
    /// The receiver's fix.
    var fix: Fix
    /// The time when the fix was received.
    var moment: EpochTime
    /// The time since the previous fix in seconds, according to the times of the fixes; `nil` if
    /// either fix has no time.
    var step: Double?
    /// The movement since the previous position; `nil` if either position is unknown.
    var movement: Movement?
    /// The time since the first fix after the monitor was created or reset, in seconds.
    var age: Double
    /// Whether the first fix after the monitor was created or reset had no position, because the
    /// receiver was searching for satellites.
    var beganWithSearch: Bool

    /// Whether the fix has a position.
    var hasPosition: Bool { fix.hasPosition }
}

/// The input of a `SkyTest`: a complete satellite list.
struct SkyEvidence: Sendable {
    /// The satellites in the list.
    let view: SatelliteView
    /// The C/N0 of the strongest signal of each received satellite.
    let strengths: Strengths
    /// The time when the list was received.
    let moment: EpochTime
    /// The altitude of the last fix in metres above the ellipsoid or, if unknown, above mean sea
    /// level; `nil` if both are unknown.
    let altitude: Double?
    /// Whether the receiver is known to measure C/N0. Others may report a constant. Receivers that
    /// report the accuracy of their time, which only u-blox's chips do in UBX, measure C/N0.
    let isMeasured: Bool

    init(_ view: SatelliteView, _ moment: EpochTime, altitude: Double?, isMeasured: Bool) {
        self.view = view
        self.moment = moment
        self.altitude = altitude
        self.isMeasured = isMeasured
        strengths = Strengths(of: view)
    }
}

extension Fix {
    /// Whether the fix has a position.
    var hasPosition: Bool { mode > .noFix && coordinate != nil }
}
