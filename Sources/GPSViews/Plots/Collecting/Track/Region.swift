// SPDX-License-Identifier: MIT
package import GNSS

/// An area in which a receiver has reported positions, correct or wrong.
///
/// Positions that the receiver cannot have reached from the previous ones, such as 0° N 0° E, get
/// their own region. They affect neither the map nor the mean of the others.
package struct Region: Sendable {
    /// A plane that touches the Earth at its first position.
    package let plane: LocalPlane
    /// The number of positions in it.
    package private(set) var count = 0
    /// The number of slow positions, which are used for the scatter.
    package private(set) var slowCount = 0
    /// The mean of the slow positions.
    package private(set) var mean = LocalPlane.Place(east: 0, north: 0)
    /// The distance of the farthest position from the first one, in metres.
    package private(set) var reach = 0.0

    /// The distance in metres beyond the farthest position within which positions belong to the
    /// region.
    private static let surroundings = 50_000.0

    init(at first: Coordinate) {
        plane = LocalPlane(at: first)
    }

    mutating func add(_ place: LocalPlane.Place, isFast: Bool) {
        count += 1
        reach = max(reach, place.distance)
        guard !isFast else { return }
        slowCount += 1
        // Updated as a mean, which stays exact with any number of positions.
        mean.east += (place.east - mean.east) / Double(slowCount)
        mean.north += (place.north - mean.north) / Double(slowCount)
    }

    func contains(_ coordinate: Coordinate) -> Bool {
        plane.place(coordinate).distance < reach + Self.surroundings
    }
}
