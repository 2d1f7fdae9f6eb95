// SPDX-License-Identifier: MIT
package import GNSS

/// An area that contains some of the positions reported by a receiver.
///
/// A position that the receiver cannot have reached from the previous one, such as a wrong
/// 0° N 0° E, belongs to another region. It does not affect the mean of the other positions.
package struct Region: Sendable {
    /// The local plane that touches the Earth at the region's first position.
    package let plane: LocalPlane
    /// The number of positions in the region.
    package private(set) var count = 0
    /// The number of positions of fixes at a low or unknown speed. The scatter plot shows these.
    package private(set) var slowCount = 0
    /// The mean of the positions counted in `slowCount`, on `plane`.
    package private(set) var mean = LocalPlane.Point(east: 0, north: 0)
    /// The maximum distance of a position from the region's first one, in metres.
    package private(set) var reach = 0.0

    /// The distance in metres beyond `reach` within which a position still belongs to the region.
    private static let surroundings = 50_000.0

    init(at first: Coordinate) {
        plane = LocalPlane(at: first)
    }

    mutating func add(_ position: LocalPlane.Point, isFast: Bool) {
        count += 1
        reach = max(reach, position.distance)
        guard !isFast else { return }
        slowCount += 1
        // The mean is updated incrementally, which remains accurate for any number of positions.
        mean.east += (position.east - mean.east) / Double(slowCount)
        mean.north += (position.north - mean.north) / Double(slowCount)
    }

    func contains(_ coordinate: Coordinate) -> Bool {
        plane.point(at: coordinate).distance < reach + Self.surroundings
    }
}
