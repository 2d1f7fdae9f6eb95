// SPDX-License-Identifier: MIT
package import GNSS

/// How a plot is to be drawn.
package struct PlotSettings: Sendable {
    /// The units of lengths and speeds.
    package var units = Units.metric
    /// Seconds without a fix after which a line is not drawn on.
    package var gap = 60.0
    /// Where the receiver stood, where that is known.
    package var truth: Coordinate?

    package init() {}
}
