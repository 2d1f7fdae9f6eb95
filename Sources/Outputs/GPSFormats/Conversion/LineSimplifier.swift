// SPDX-License-Identifier: MIT
package import GNSS

/// Selects the points that preserve the shape of a line within a tolerance (Douglas–Peucker).
package struct LineSimplifier: Sendable {
    private let squaredTolerance: Double
    /// Whether each point of the line is kept, by the index of the point.
    package private(set) var isKept: [Bool] = []
    private var stack: [(first: Int, last: Int)] = []

    /// Creates a simplifier with a tolerance in metres.
    package init(tolerance: Double) {
        squaredTolerance = tolerance * tolerance
    }

    /// Computes `isKept` for a line. The first and the last point are kept. Between two kept
    /// points, the point farthest from their connecting line is kept as well, recursively, until
    /// all points are within the tolerance.
    package mutating func mark(_ points: [LocalPlane.Point]) {
        isKept.removeAll(keepingCapacity: true)
        guard !points.isEmpty else { return }
        let last = points.count - 1
        isKept.append(contentsOf: repeatElement(false, count: points.count))
        isKept[0] = true
        isKept[last] = true
        stack.append((0, last))
        while let part = stack.popLast() {
            var farthest = squaredTolerance
            var index: Int?
            for i in stride(from: part.first + 1, to: part.last, by: 1) {
                let distance = Self.squaredDistance(points, i, part.first, part.last)
                if distance > farthest {
                    farthest = distance
                    index = i
                }
            }
            guard let index else { continue }
            isKept[index] = true
            stack.append((part.first, index))
            stack.append((index, part.last))
        }
    }

    /// Returns the squared distance from a point to the line segment between two others.
    private static func squaredDistance(
        _ points: [LocalPlane.Point], _ i: Int, _ first: Int, _ last: Int
    ) -> Double {
        let (start, end, point) = (points[first], points[last], points[i])
        let line = end - start
        var offset = point - start
        let length = line.squaredDistance
        if length > 0 {
            let fraction = max(
                0, min(1, (offset.east * line.east + offset.north * line.north) / length))
            offset.east -= fraction * line.east
            offset.north -= fraction * line.north
        }
        return offset.squaredDistance
    }
}
