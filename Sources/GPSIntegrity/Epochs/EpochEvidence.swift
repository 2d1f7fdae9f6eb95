// SPDX-License-Identifier: MIT
import GNSS

/// One fix, with what follows from the fixes before it.
struct EpochEvidence: Sendable {
    /// The receiver's fix.
    var fix: Fix
    /// When it was received.
    var moment: Moment
    /// Seconds since the previous fix by the receiver's time; `nil` if either has none.
    var step: Double?
    /// The movement since the last position; `nil` without two positions.
    var movement: Movement?
    /// Seconds since the history began.
    var age: Double

    /// Whether there is a position.
    var hasPosition: Bool { fix.mode > .noFix && fix.coordinate != nil }
}

/// A complete list of satellites.
struct SkyEvidence: Sendable {
    /// The satellites.
    let view: SatelliteView
    /// The strongest signal of each received satellite.
    let heard: Strengths
    /// When it was received.
    let moment: Moment
    /// Metres above the ellipsoid, of the last position.
    let altitude: Double?

    init(_ view: SatelliteView, _ moment: Moment, altitude: Double?) {
        self.view = view
        self.moment = moment
        self.altitude = altitude
        heard = Strengths(of: view)
    }
}
