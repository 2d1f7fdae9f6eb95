// SPDX-License-Identifier: MIT

extension Location {
    /// Metres along the WGS 84 ellipsoid to another location, altitudes left aside.
    ///
    /// The CoreLocation counterpart is `CLLocation.distance(from:)`.
    public func distance(from other: Location) -> Double {
        coordinate.distance(from: other.coordinate)
    }
}
