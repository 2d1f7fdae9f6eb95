// SPDX-License-Identifier: MIT

/// A point of a line that is thinned.
protocol LinePoint {
    /// It does not follow on the one before.
    var beginsSegment: Bool { get set }
}

extension Array where Element: LinePoint {
    /// Leaves out what is near to the point before; the first point of a segment stays.
    mutating func thin(where areNear: (Element, Element) -> Bool) {
        var last: Element?
        removeAll { point in
            if !point.beginsSegment, let last, areNear(last, point) { return true }
            last = point
            return false
        }
    }
}
