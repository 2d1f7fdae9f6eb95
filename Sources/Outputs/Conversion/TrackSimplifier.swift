// SPDX-License-Identifier: MIT
import GNSS

/// Leaves out fixes that lie within a tolerance of the line between others (Douglas–Peucker).
///
/// It does so window by window, so that its memory does not grow with the track: a window's first
/// and last fix are always kept, and the last one begins the next window. That is one fix more than
/// needed in 512, at the most.
struct TrackSimplifier {
    static let window = 512

    private let squaredTolerance: Double
    private var fixes: [Fix] = []
    private var points: [LocalPlane.Place] = []
    private var plane: LocalPlane?
    private var isKept: [Bool] = []
    private var stack: [(first: Int, last: Int)] = []
    /// The window's first fix was the last one's last, and is written.
    private var isContinued = false

    init(tolerance: Double) {
        squaredTolerance = tolerance * tolerance
        fixes.reserveCapacity(Self.window)
    }

    /// Takes the next fix of the segment, and hands over those that are kept for certain.
    mutating func take(_ fix: Fix, _ kept: inout [Fix]) {
        guard let position = fix.coordinate else { return }
        let plane = self.plane ?? LocalPlane(at: position)
        self.plane = plane
        fixes.append(fix)
        points.append(plane.place(position))
        guard fixes.count == Self.window else { return }
        hand(&kept)
        restart(with: fix, position)
    }

    /// Takes the segment's end, and hands over what is kept of the rest.
    mutating func endSegment(_ kept: inout [Fix]) {
        hand(&kept)
        fixes.removeAll(keepingCapacity: true)
        points.removeAll(keepingCapacity: true)
        plane = nil
        isContinued = false
    }

    private mutating func restart(with fix: Fix, _ position: Coordinate) {
        let plane = LocalPlane(at: position)
        fixes.removeAll(keepingCapacity: true)
        points.removeAll(keepingCapacity: true)
        fixes.append(fix)
        points.append(plane.place(position))
        self.plane = plane
        isContinued = true
    }

    private mutating func hand(_ kept: inout [Fix]) {
        guard !fixes.isEmpty else { return }
        choose()
        for index in fixes.indices where isKept[index] && !(isContinued && index == 0) {
            kept.append(fixes[index])
        }
    }

    /// Marks what is kept: of each stretch the fix that lies farthest off, until none does.
    private mutating func choose() {
        let last = fixes.count - 1
        isKept.removeAll(keepingCapacity: true)
        isKept.append(contentsOf: repeatElement(false, count: fixes.count))
        isKept[0] = true
        isKept[last] = true
        stack.append((0, last))
        while let stretch = stack.popLast() {
            var farthest = squaredTolerance
            var index: Int?
            for i in stride(from: stretch.first + 1, to: stretch.last, by: 1) {
                let distance = squaredDistance(i, stretch.first, stretch.last)
                if distance > farthest {
                    farthest = distance
                    index = i
                }
            }
            guard let index else { continue }
            isKept[index] = true
            stack.append((stretch.first, index))
            stack.append((index, stretch.last))
        }
    }

    /// From a point to the line between two others, which ends at both.
    private func squaredDistance(_ i: Int, _ first: Int, _ last: Int) -> Double {
        let (start, end, point) = (points[first], points[last], points[i])
        let line = end - start
        var offset = point - start
        let length = line.squaredDistance
        if length > 0 {
            let share = max(
                0, min(1, (offset.east * line.east + offset.north * line.north) / length))
            offset.east -= share * line.east
            offset.north -= share * line.north
        }
        return offset.squaredDistance
    }
}
