// SPDX-License-Identifier: MIT

/// A point of a line that can be thinned.
protocol LinePoint {
    /// Whether the point is not connected with the previous one.
    var beginsSegment: Bool { get set }
}

extension Array where Element: LinePoint {
    /// Removes points that are near the previous remaining one. The first point of each segment is
    /// kept.
    mutating func thin(where areNear: (Element, Element) -> Bool) {
        var last: Element?
        removeAll { point in
            if !point.beginsSegment, let last, areNear(last, point) { return true }
            last = point
            return false
        }
    }
}
