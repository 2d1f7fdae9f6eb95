// SPDX-License-Identifier: MIT
package import GNSS

/// The user's settings for a plot.
package struct PlotSettings: Sendable {
    /// The units of lengths and speeds.
    package var units = Units.metric
    /// The gap in seconds between fixes that interrupts a line.
    package var gap = 60.0
    /// The receiver's true position; `nil` if it is not known.
    package var truth: Coordinate?

    package init() {}
}
