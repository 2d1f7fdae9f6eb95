// SPDX-License-Identifier: MIT
package import GNSS

/// The distribution of positions around their mean or the true position.
package struct Scatter: Sendable {
    /// The positions relative to the centre, in metres.
    package let points: [LocalPlane.Point]
    /// The radius in metres around the centre that contains half of the positions; 0 if there are
    /// none.
    package let cep50: Double
    /// The radius in metres around the centre that contains 95 % of the positions; 0 if there are
    /// none.
    package let cep95: Double

    package init(_ points: [LocalPlane.Point]) {
        self.points = points
        let distances = points.map(\.distance).sorted()
        cep50 = Self.radius(0.5, distances)
        cep95 = Self.radius(0.95, distances)
    }

    /// Returns the smallest radius that contains the given fraction (0 to 1) of the positions; 0 if
    /// there are none. `distances` are their distances from the centre, in ascending order.
    private static func radius(_ fraction: Double, _ distances: [Double]) -> Double {
        guard !distances.isEmpty else { return 0 }
        let rank = Int((fraction * Double(distances.count)).rounded(.up))
        return distances[max(1, min(distances.count, rank)) - 1]
    }
}
