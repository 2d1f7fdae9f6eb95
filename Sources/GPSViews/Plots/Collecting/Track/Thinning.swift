// SPDX-License-Identifier: MIT

/// A point of a line that is thinned.
protocol LinePoint {
    /// Whether it is not connected with the previous point.
    var beginsSegment: Bool { get set }
}

extension Array where Element: LinePoint {
    /// Removes points that are close to the previous one; the first point of a segment stays.
    mutating func thin(where areNear: (Element, Element) -> Bool) {
        var last: Element?
        removeAll { point in
            if !point.beginsSegment, let last, areNear(last, point) { return true }
            last = point
            return false
        }
    }
}
