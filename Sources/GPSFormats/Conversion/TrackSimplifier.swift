// SPDX-License-Identifier: MIT
import GNSS

/// Leaves out fixes that lie within a tolerance of the line between others (Douglas–Peucker).
///
/// It does so window by window, so that its memory does not grow with the track: a window's first
/// and last fix are always kept, and the last one begins the next window. That is one fix more than
/// needed in 512, at the most.
struct TrackSimplifier {
    static let window = 512

    private var simplifier: LineSimplifier
    private var fixes: [Fix] = []
    private var points: [LocalPlane.Place] = []
    private var plane: LocalPlane?
    /// The window's first fix was the last one's last, and is written.
    private var isContinued = false

    init(tolerance: Double) {
        simplifier = LineSimplifier(tolerance: tolerance)
        fixes.reserveCapacity(Self.window)
    }

    /// Adds the next fix of the segment, and hands over those that are certainly kept.
    mutating func add(_ fix: Fix, _ kept: inout [Fix]) {
        guard let position = fix.coordinate else { return }
        append(fix, position)
        guard fixes.count == Self.window else { return }
        hand(&kept)
        append(fix, position)
        isContinued = true
    }

    /// Ends the segment, and hands over what is kept of the rest.
    mutating func endSegment(_ kept: inout [Fix]) {
        hand(&kept)
        isContinued = false
    }

    private mutating func append(_ fix: Fix, _ position: Coordinate) {
        let plane = self.plane ?? LocalPlane(at: position)
        self.plane = plane
        fixes.append(fix)
        points.append(plane.place(position))
    }

    private mutating func hand(_ kept: inout [Fix]) {
        simplifier.mark(points)
        for index in fixes.indices where simplifier.isKept[index] && !(isContinued && index == 0) {
            kept.append(fixes[index])
        }
        fixes.removeAll(keepingCapacity: true)
        points.removeAll(keepingCapacity: true)
        plane = nil
    }
}
