// SPDX-License-Identifier: MIT
import GNSS

/// The cut of a line at ±180°. RFC 7946 (section 3.1.9) cuts lines there, because its lines are
/// straight in longitude and latitude: an uncut one leads around the world.
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
    /// The same position. A longitude of ±180 has the sign of another position's longitude, so that
    /// a line between them needs no cut.
    func onSide(of other: Coordinate) -> Coordinate {
        guard longitude.magnitude == 180 else { return self }
        return Coordinate(latitude: latitude, longitude: other.longitude < 0 ? -180 : 180)
    }

    /// Whether both are the same point of the antimeridian, seen from its two sides.
    func isOppositeSide(of other: Coordinate) -> Bool {
        longitude.magnitude == 180 && other.longitude == -longitude && other.latitude == latitude
    }
}
