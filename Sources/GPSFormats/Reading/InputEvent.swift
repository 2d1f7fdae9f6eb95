// SPDX-License-Identifier: MIT
package import GNSS

/// An element that an `InputReader` has read.
package enum InputEvent: Sendable {
    /// A fix with everything known about it, and the satellites in view at its time where the file
    /// lists them.
    case fix(Fix, SatelliteView? = nil)
    /// The satellites in view where no fix is of their time.
    case satellites(SatelliteView)
    /// The next fix does not continue the track of the one before.
    case segment
}
