// SPDX-License-Identifier: MIT
package import GNSS

/// An element that an `InputReader` has read.
package enum InputEvent: Sendable {
    /// A fix with all its known values, and the satellites in view at its time if the file lists them.
    case fix(Fix, SatelliteView? = nil)
    /// The satellites in view at a time without a fix.
    case satellites(SatelliteView)
    /// The end of a segment: the next fix does not continue the track.
    case segment
}
