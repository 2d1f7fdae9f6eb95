// SPDX-License-Identifier: MIT
package import GNSS

/// Settings for drawing a plot.
package struct PlotSettings: Sendable {
    /// The units of lengths and speeds.
    package var units = Units.metric
    /// The gap in seconds after which a line is interrupted.
    package var gap = 60.0
    /// The true position of the receiver, if it is known.
    package var truth: Coordinate?

    package init() {}
}
