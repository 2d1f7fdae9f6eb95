// SPDX-License-Identifier: MIT

/// The track, thinned to a limited number of points.
///
/// First, points near the previous one are removed: the minimum distance grows up to a
/// four-hundredth of the track's extent, which is hardly visible. If there are still too many
/// points, the track overlaps itself many times. Then every second section (256 consecutive points)
/// is removed. A section that alone covers some place is kept, so no place is missing. Every
/// remaining line was really travelled.
package struct TrackThinning: Sendable {
    /// The maximum number of points in memory. Each takes 40 bytes.
    package static let limit = 16_384
    private static let sectionLength = 256
    /// The initial number of squares across the extent of the track. Sections cover the same place
    /// if they have points in the same squares.
    private static let squares: Float = 64

    package private(set) var points: [PlottedPoint] = []
    /// Whether sections have been removed.
    package private(set) var isPartial = false
    /// One of `divisor` new sections is kept; see `count`.
    private var divisor = 1
    /// The minimum distance between points in metres.
    private var spacing: Float = 0
    private var last: PlottedPoint?
    /// The number of points since sections were last removed or since the track last entered a new
    /// square. Points that are too close to the previous one are not counted.
    private var count = 0
    private var beginsSegment = true
    /// The squares that contain points. Not updated while `divisor` is 1.
    private var covered = Squares(size: 1)
    /// The extent of the track in metres when sections were last removed.
    private var widthAtLast: Float = 0

    package init() {}

    /// Ends the segment, so that later points are not connected with earlier ones.
    mutating func endSegment() { beginsSegment = true }

    /// Adds a point. `width` is the extent of the track so far in metres.
    mutating func add(_ point: PlottedPoint, width: Double) {
        if !beginsSegment, let last, point.isNear(last, spacing) { return }
        last = point
        if divisor > 1 {
            // A track whose extent has more than doubled can be thinned by distance again.
            if Float(width) > widthAtLast * 2 { divisor = 1 }
            if covered.insert(point) { count = 0 }
        }
        defer { count += 1 }
        guard count / Self.sectionLength % divisor == 0 else {
            beginsSegment = true
            return
        }
        var point = point
        point.beginsSegment = beginsSegment
        beginsSegment = false
        points.append(point)
        if points.count == Self.limit { thin(Float(width)) }
    }

    private mutating func thin(_ width: Float) {
        let coarsest = width / 400
        while spacing < coarsest {
            spacing = min(coarsest, max(spacing * 2, width / 6400))
            points.thin { [spacing] in $1.isNear($0, spacing) }
            if points.count <= Self.limit * 3 / 4 { return }
        }
        divisor *= 2
        isPartial = true
        widthAtLast = width
        // Larger squares contain more sections, so fewer sections are the only one in a square.
        var size = max(0.01, width / Self.squares)
        repeat {
            keepSections(squaresOf: size)
            size *= 2
        } while points.count > Self.limit * 3 / 4
        count = 1
        beginsSegment = true
    }

    /// Keeps every second section, and sections with squares that no kept section covers. `size` is
    /// the side of a square in metres.
    private mutating func keepSections(squaresOf size: Float) {
        let starts = Array(stride(from: 0, to: points.count, by: Self.sectionLength))
        let sections = starts.map { points[$0..<min(points.count, $0 + Self.sectionLength)] }
        var covered = Squares(size: size)
        var isKept = starts.indices.map { $0 % 2 == 0 }
        for index in starts.indices where isKept[index] {
            for point in sections[index] { covered.insert(point) }
        }
        for index in starts.indices where !isKept[index] {
            isKept[index] = sections[index].count { covered.insert($0) } > 0
        }
        var kept: [PlottedPoint] = []
        for index in starts.indices where isKept[index] {
            let first = kept.count
            kept.append(contentsOf: sections[index])
            let followsOn = index > 0 && isKept[index - 1]
            if !followsOn { kept[first].beginsSegment = true }
        }
        points = kept
        self.covered = covered
    }
}

/// The squares of the map that are covered by points.
private struct Squares: Sendable {
    private struct Square: Hashable {
        let region: UInt8
        let column: Int32
        let row: Int32
    }

    /// The length of a side of a square in metres.
    let size: Float
    private var known: Set<Square> = []

    init(size: Float) {
        self.size = size
    }

    /// Marks the square of a point as covered. Returns whether it was not covered before.
    @discardableResult
    mutating func insert(_ point: PlottedPoint) -> Bool {
        // The indices are limited to fit into 32 bits.
        func index(_ metres: Float) -> Int32 {
            Int32(max(-2e9, min(2e9, (metres / size).rounded())))
        }
        return known.insert(
            Square(region: point.region, column: index(point.east), row: index(point.north))
        ).inserted
    }
}
