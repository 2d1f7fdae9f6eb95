// SPDX-License-Identifier: MIT
package import GNSS

/// A part of the world in which a receiver has reported positions, rightly or wrongly.
///
/// Positions that nothing on Earth could have reached from the ones before, such as 0° N 0° E, are a
/// region of their own, so that they spoil neither the map nor the mean of the others.
package struct Region: Sendable {
    /// About its first position.
    package let plane: LocalPlane
    /// How many positions are in it.
    package private(set) var count = 0
    /// How many of them count for the scatter: those that were not fast.
    package private(set) var slowCount = 0
    /// The mean of those.
    package private(set) var mean = LocalPlane.Place(east: 0, north: 0)
    /// The farthest position from the first one, in metres.
    package private(set) var reach = 0.0

    /// Metres beyond its farthest position that belong to it.
    private static let surroundings = 50_000.0

    init(at first: Coordinate) {
        plane = LocalPlane(at: first)
    }

    mutating func add(_ place: LocalPlane.Place, isFast: Bool) {
        count += 1
        reach = max(reach, place.distance)
        guard !isFast else { return }
        slowCount += 1
        // Kept as a mean, so that it stays as exact however many there are.
        mean.east += (place.east - mean.east) / Double(slowCount)
        mean.north += (place.north - mean.north) / Double(slowCount)
    }

    func contains(_ coordinate: Coordinate) -> Bool {
        plane.place(coordinate).distance < reach + Self.surroundings
    }
}
