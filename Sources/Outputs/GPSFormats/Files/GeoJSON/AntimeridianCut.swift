// SPDX-License-Identifier: MIT
import GNSS

/// The cut of a line at ±180°. In GeoJSON, lines are straight in longitude and latitude, so an
/// uncut line would lead around the world. RFC 7946 (section 3.1.9) therefore asks for the cut.
struct AntimeridianCut {
    /// The point of the cut, as the end of the first part.
    let end: Coordinate
    /// The same point, as the start of the second part.
    let start: Coordinate

    /// Cuts the shorter of the two lines between `a` and `b`. Returns `nil` if it does not cross
    /// the antimeridian.
    init?(from a: Coordinate, to b: Coordinate) {
        let change = b.longitude - a.longitude
        guard change.magnitude > 180, change.magnitude < 360 else { return nil }
        let edge: Double = a.longitude < 0 ? -180 : 180
        let way = change > 0 ? change - 360 : change + 360
        let latitude = a.latitude + (edge - a.longitude) / way * (b.latitude - a.latitude)
        end = Coordinate(latitude: latitude, longitude: edge)
        start = Coordinate(latitude: latitude, longitude: -edge)
    }
}

extension Coordinate {
    /// Returns the same position. If its longitude is ±180, it gets the sign of the longitude of
    /// `other`, so that a line between both positions needs no cut.
    func onSide(of other: Coordinate) -> Coordinate {
        guard longitude.magnitude == 180 else { return self }
        return Coordinate(latitude: latitude, longitude: other.longitude < 0 ? -180 : 180)
    }

    /// Returns whether both positions are the same point on the antimeridian, one with longitude
    /// 180 and the other with -180.
    func isOppositeSide(of other: Coordinate) -> Bool {
        longitude.magnitude == 180 && other.longitude == -longitude && other.latitude == latitude
    }
}
