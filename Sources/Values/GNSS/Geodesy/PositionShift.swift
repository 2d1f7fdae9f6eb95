// SPDX-License-Identifier: MIT

/// Moves positions to a random place, so that a recording can be shown to others.
///
/// Distances, courses and climbs stay as they are. Nothing of the result depends on where the
/// receiver was: the first position becomes a random one, and so does every position that is far
/// from the one before.
package struct PositionShift: Sendable {
    private struct Anchor {
        let origin: Coordinate
        let place: Coordinate
        /// The degrees at the place for a degree at the origin.
        let scale: (latitude: Double, longitude: Double)
    }

    /// The distance in degrees of latitude from which a position has a place of its own. Otherwise
    /// one that everybody knows, such as the place at which a chip begins, would reveal the others.
    private static let maximumStep = 0.1

    private var anchor: Anchor?
    private var last: Coordinate?
    private var rise: Double?

    package init() {}

    /// Returns the place of a position; `nil` if it is not valid. Latitude and longitude 0 stay as
    /// they are: receivers report them instead of a position.
    package mutating func shifted(_ position: Coordinate) -> Coordinate? {
        guard position.isValid else { return nil }
        guard position != Coordinate(latitude: 0, longitude: 0) else { return position }
        let anchor = anchor(for: position)
        last = position
        let longitude =
            anchor.place.longitude
            + Self.difference(position.longitude, anchor.origin.longitude) * anchor.scale.longitude
        let latitude =
            anchor.place.latitude
            + (position.latitude - anchor.origin.latitude) * anchor.scale.latitude
        let moved = Coordinate(
            latitude: latitude, longitude: Self.difference(longitude, 0))
        return moved.isValid ? moved : nil
    }

    /// Returns an altitude of the same place, in metres. The first one becomes a random one.
    package mutating func shifted(altitude: Double) -> Double {
        let rise = rise ?? (Double.random(in: 100...900).rounded() - altitude.rounded())
        self.rise = rise
        return altitude + rise
    }

    private mutating func anchor(for position: Coordinate) -> Anchor {
        if let anchor, let last {
            let (_, cosine) = PortableMath.sinCos(position.latitude.radians)
            let east = Self.difference(position.longitude, last.longitude) * cosine
            if abs(position.latitude - last.latitude) < Self.maximumStep,
                abs(east) < Self.maximumStep
            {
                return anchor
            }
        }
        // Not near a pole, where degrees of longitude are short.
        let place = Coordinate(
            latitude: Double.random(in: -50...50), longitude: Double.random(in: -179...179))
        let (old, new) = (Self.degree(at: position.latitude), Self.degree(at: place.latitude))
        let result = Anchor(
            origin: position, place: place,
            scale: (latitude: old.north / new.north, longitude: old.east / new.east))
        (anchor, rise) = (result, nil)
        return result
    }

    private static func difference(_ a: Double, _ b: Double) -> Double {
        (a - b).remainder(dividingBy: 360)
    }

    /// The lengths of a degree of latitude and of longitude at a latitude, in metres.
    private static func degree(at latitude: Double) -> (north: Double, east: Double) {
        let (sine, cosine) = PortableMath.sinCos(latitude.radians)
        let root = (1 - WGS84.eccentricitySquared * sine * sine).squareRoot()
        let primeVertical = WGS84.semiMajor / root
        let meridian = primeVertical * (1 - WGS84.eccentricitySquared) / (root * root)
        return (meridian * 1.0.radians, primeVertical * cosine * 1.0.radians)
    }
}
