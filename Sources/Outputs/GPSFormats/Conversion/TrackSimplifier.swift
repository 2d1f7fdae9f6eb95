// SPDX-License-Identifier: MIT
import GNSS

/// Omits fixes that are within a tolerance of the line through the kept fixes (Douglas–Peucker).
///
/// It works in windows of 512 fixes, so that memory does not grow with the track. The first and the
/// last fix of a window are always kept, and the last one begins the next window.
struct TrackSimplifier {
    static let window = 512

    private var simplifier: LineSimplifier
    private var fixes: [Fix] = []
    private var points: [LocalPlane.Point] = []
    private var plane: LocalPlane?
    /// Whether the first fix of the window is the last one of the previous window, which has
    /// already been passed on.
    private var isContinued = false

    init(tolerance: Double) {
        simplifier = LineSimplifier(tolerance: tolerance)
        fixes.reserveCapacity(Self.window)
    }

    /// Adds the next fix of the segment. When a window is full, appends its kept fixes to `kept`.
    mutating func add(_ fix: Fix, _ kept: inout [Fix]) {
        guard let position = fix.coordinate else { return }
        append(fix, position)
        guard fixes.count == Self.window else { return }
        endWindow(&kept)
        append(fix, position)
        isContinued = true
    }

    /// Ends the segment. Appends the kept fixes of the last window to `kept`.
    mutating func endSegment(_ kept: inout [Fix]) {
        endWindow(&kept)
        isContinued = false
    }

    private mutating func append(_ fix: Fix, _ position: Coordinate) {
        let plane = self.plane ?? LocalPlane(at: position)
        self.plane = plane
        fixes.append(fix)
        points.append(plane.point(at: position))
    }

    private mutating func endWindow(_ kept: inout [Fix]) {
        simplifier.mark(points)
        for index in fixes.indices where simplifier.isKept[index] && !(isContinued && index == 0) {
            kept.append(fixes[index])
        }
        fixes.removeAll(keepingCapacity: true)
        points.removeAll(keepingCapacity: true)
        plane = nil
    }
}
