// SPDX-License-Identifier: MIT
package import GNSS

/// An element that an `InputReader` has read.
package enum InputEvent: Sendable {
    /// A position, with everything known about it.
    case fix(Fix)
    /// The satellites in view.
    case satellites(SatelliteView)
    /// The next fix does not continue the track of the one before.
    case segment
}
