// SPDX-License-Identifier: MIT

/// Moves positions to a random place, so that a recording can be shown to others.
///
/// Distances, courses and climbs stay as they are. Nothing of the result depends on where the
/// receiver was: the first position becomes a random one, and so does every position that is far
/// from the one before.
package struct PositionShift: Sendable {
    /// The place of positions that are near one another.
    private struct Anchor {
        let origin: Coordinate
        // Not near a pole, where degrees of longitude are short.
        let place = Coordinate(
            latitude: Double.random(in: -50...50), longitude: Double.random(in: -179...179))
        let height = Double.random(in: 100...900).rounded()
        var last: Coordinate
        var rise: Double?
    }

    /// The distance in degrees of latitude from which a position has a place of its own. Otherwise
    /// a known one, such as the place at which a chip begins, would reveal the others.
    private static let maximumStep = 0.1
    /// The most places that are remembered.
    private static let limit = 16

    private var anchors: [Anchor] = []

    package init() {}

    /// Returns the place of a position, whose last digit is worth `step` degrees; `nil` if it is not
    /// valid. Latitude and longitude 0 stay as they are: receivers report them instead of a
    /// position.
    ///
    /// Distances on the receiver's grid would have the scale of its latitude. So a position gets a
    /// random part of a step, always the same one.
    package mutating func shifted(_ position: Coordinate, step: Double) -> Coordinate? {
        guard position.isValid else { return nil }
        guard !Self.isPlaceholder(position) else { return position }
        let index = indexOfAnchor(for: position)
        anchors[index].last = position
        let anchor = anchors[index]
        // A part of a step must not lead across a pole.
        let latitude = position.latitude + Self.part(position, 0) * step
        let offset = Coordinate(
            latitude: min(90, max(-90, latitude)),
            longitude: Self.difference(position.longitude + Self.part(position, 1) * step, 0)
        ).offset(from: anchor.origin)
        let course = PortableMath.atan2(offset.east, offset.north).degrees
        let moved = anchor.place.moved(by: offset.distance, course: course)
        return moved.isValid ? moved : nil
    }

    /// Returns the altitude of a position, in metres. The first one becomes a random one. Returns
    /// `nil` without a position: such altitudes have known values, which would reveal the others.
    package mutating func shifted(altitude: Double, of position: Coordinate) -> Double? {
        guard position.isValid, !Self.isPlaceholder(position), altitude != 0 else { return nil }
        let index = indexOfAnchor(for: position)
        let rise = anchors[index].rise ?? (anchors[index].height - altitude.rounded())
        anchors[index].rise = rise
        return altitude + rise
    }

    private static func isPlaceholder(_ position: Coordinate) -> Bool {
        position.latitude == 0 && position.longitude == 0
    }

    /// A number from -0.5 to 0.5 that depends on the position. Swift's hash has a key of its own in
    /// each process.
    private static func part(_ position: Coordinate, _ axis: Int) -> Double {
        var hasher = Hasher()
        hasher.combine(position)
        hasher.combine(axis)
        return Double(UInt32(truncatingIfNeeded: hasher.finalize())) / Double(UInt32.max) - 0.5
    }

    private mutating func indexOfAnchor(for position: Coordinate) -> Int {
        let (_, cosine) = PortableMath.sinCos(position.latitude.radians)
        let known = anchors.lastIndex { anchor in
            let east = Self.difference(position.longitude, anchor.last.longitude) * cosine
            return abs(position.latitude - anchor.last.latitude) < Self.maximumStep
                && abs(east) < Self.maximumStep
        }
        if let known { return known }
        if anchors.count == Self.limit { anchors.removeFirst() }
        anchors.append(Anchor(origin: position, last: position))
        return anchors.count - 1
    }

    private static func difference(_ a: Double, _ b: Double) -> Double {
        (a - b).remainder(dividingBy: 360)
    }
}
