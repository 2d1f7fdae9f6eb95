// SPDX-License-Identifier: MIT

/// The track in a limited number of points.
///
/// Where there are more, first those go that are closer to the one before than can be seen, up to a
/// four-hundredth of the track's width. A track that is still longer covers itself many times: then every
/// second stretch of it goes, except where nothing else has been. So no line is ever drawn that was
/// not gone, and no place is missing.
package struct TrackThinning: Sendable {
    /// Points in memory; 40 bytes each.
    package static let limit = 16_384
    private static let stretch = 256
    /// Places across the track's width.
    private static let places: Float = 64

    package private(set) var points: [PlottedPoint] = []
    /// Whether stretches have gone.
    package private(set) var isPartial = false
    /// One stretch in `share` is kept.
    private var share = 1
    /// Metres between points at the least.
    private var spacing: Float = 0
    private var last: PlottedPoint?
    /// Points that were far enough from the one before, since the share has changed.
    private var count = 0
    private var beginsSegment = true
    /// Where something has been, since stretches have gone for the last time.
    private var covered = Places(size: 1)
    /// How wide the track was then.
    private var widthAtLast: Float = 0

    package init() {}

    /// Ends the segment: what follows is not connected with what was before.
    mutating func endSegment() { beginsSegment = true }

    /// Adds a point of a track that so far is `width` metres wide.
    mutating func add(_ point: PlottedPoint, width: Double) {
        if !beginsSegment, let last, point.isNear(last, spacing) { return }
        last = point
        if share > 1 {
            // A track that has become far wider can be thinned by distance again.
            if Float(width) > widthAtLast * 2 { share = 1 }
            if covered.insert(point) { count = 0 }
        }
        defer { count += 1 }
        guard count / Self.stretch % share == 0 else {
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
        share *= 2
        isPartial = true
        widthAtLast = width
        // The larger places are, the less is the only one there.
        var size = max(0.01, width / Self.places)
        repeat {
            keepStretches(placesOf: size)
            size *= 2
        } while points.count > Self.limit * 3 / 4
        count = 1
        beginsSegment = true
    }

    /// Keeps every second stretch, and those that have been where no other was.
    private mutating func keepStretches(placesOf size: Float) {
        let starts = Array(stride(from: 0, to: points.count, by: Self.stretch))
        let stretches = starts.map { points[$0..<min(points.count, $0 + Self.stretch)] }
        var covered = Places(size: size)
        var isKept = starts.indices.map { $0 % 2 == 0 }
        for index in starts.indices where isKept[index] {
            for point in stretches[index] { covered.insert(point) }
        }
        for index in starts.indices where !isKept[index] {
            isKept[index] = stretches[index].count { covered.insert($0) } > 0
        }
        var kept: [PlottedPoint] = []
        for index in starts.indices where isKept[index] {
            let first = kept.count
            kept.append(contentsOf: stretches[index])
            let followsOn = index > 0 && isKept[index - 1]
            if !followsOn { kept[first].beginsSegment = true }
        }
        points = kept
        self.covered = covered
    }
}

/// The squares of the map that contain points.
private struct Places: Sendable {
    private struct Place: Hashable {
        let region: UInt8
        let column: Int32
        let row: Int32
    }

    /// Metres.
    let size: Float
    private var known: Set<Place> = []

    init(size: Float) {
        self.size = size
    }

    /// Whether nothing was there before.
    @discardableResult
    mutating func insert(_ point: PlottedPoint) -> Bool {
        // No place on Earth is farther away than a Float of metres can hold.
        func index(_ metres: Float) -> Int32 {
            Int32(max(-2e9, min(2e9, (metres / size).rounded())))
        }
        return known.insert(
            Place(region: point.region, column: index(point.east), row: index(point.north))
        ).inserted
    }
}
