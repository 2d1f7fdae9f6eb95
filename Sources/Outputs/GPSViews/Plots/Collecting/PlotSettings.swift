// SPDX-License-Identifier: MIT
package import GNSS

/// The user's settings for a plot.
package struct PlotSettings: Sendable {
    /// The units of lengths and speeds.
    package var units = Units.metric
    /// The time between fixes, in seconds, above which a line is interrupted.
    package var gap = 60.0
    /// The receiver's true position; `nil` if it is not known.
    package var truth: Coordinate?
    /// Whether the plot is known to show recordings, so that it needs no warning that they are not
    /// live.
    package var isOfRecordings = false

    package init() {}
}
