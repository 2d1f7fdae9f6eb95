// SPDX-License-Identifier: MIT
package import GNSS

/// An element that an `InputReader` has read.
package enum InputEvent: Sendable {
    /// A fix, and the satellites in view at its time; `nil` if the file does not list them.
    case fix(Fix, SatelliteView? = nil)
    /// The satellites in view at a time without a fix.
    case satellites(SatelliteView)
    /// A waypoint. Only readers with `keepsWaypoints` pass on waypoints.
    case waypoint(Waypoint)
    /// A route. Only readers with `keepsWaypoints` pass on routes.
    case route(Route)
    /// The end of a segment. The next fix begins another one.
    case segment
}
