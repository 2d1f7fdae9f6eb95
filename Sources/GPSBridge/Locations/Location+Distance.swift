// SPDX-License-Identifier: MIT

extension Location {
    /// Returns the distance to another location in metres along the WGS 84 ellipsoid, ignoring
    /// altitudes.
    ///
    /// The CoreLocation counterpart is `CLLocation.distance(from:)`.
    public func distance(from other: Location) -> Double {
        coordinate.distance(from: other.coordinate)
    }
}
