// SPDX-License-Identifier: MIT
package import GNSS

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

/// A position of the track on the map.
package struct PlottedPoint: LinePoint, Hashable, Sendable {
    package let coordinate: Coordinate
    /// The speed over ground in metres per second; NaN if unknown.
    package let speed: Float
    /// The offset to the east from the first position of the point's `Region`, in metres.
    let east: Float
    let north: Float
    package let quality: FixQuality
    /// The index of the point's `Region` in `Regions.all`.
    let region: UInt8
    /// Whether the point is not connected with the previous one.
    package var beginsSegment = false

    init(_ fix: Fix, _ coordinate: Coordinate, _ address: Regions.Address) {
        self.coordinate = coordinate
        speed = fix.speed.map { Float($0) } ?? .nan
        east = Float(address.position.east)
        north = Float(address.position.north)
        quality = fix.quality
        region = UInt8(clamping: address.region)
    }

    func isNear(_ other: PlottedPoint, _ distance: Float) -> Bool {
        let (x, y) = (other.east - east, other.north - north)
        return region == other.region && x * x + y * y < distance * distance
    }
}

/// An area that contains some of the positions reported by a receiver.
///
/// A position that the receiver cannot have reached from the previous one, such as a wrong
/// 0° N 0° E, belongs to another region. It does not affect the mean of the other positions.
package struct Region: Sendable {
    /// The local plane that touches the Earth at the region's first position.
    let plane: LocalPlane
    /// The number of positions in the region.
    package private(set) var count = 0
    /// The number of positions of fixes at a low or unknown speed. The scatter plot shows these.
    private(set) var slowCount = 0
    /// The mean of the positions counted in `slowCount`, on `plane`.
    package private(set) var mean = LocalPlane.Point(east: 0, north: 0)
    /// The maximum distance of a position from the region's first one, in metres.
    private(set) var reach = 0.0

    /// The distance in metres beyond `reach` within which a position still belongs to the region.
    private static let surroundings = 50_000.0

    init(at first: Coordinate) {
        plane = LocalPlane(at: first)
    }

    mutating func add(_ position: LocalPlane.Point, isFast: Bool) {
        count += 1
        reach = max(reach, position.distance)
        guard !isFast else { return }
        slowCount += 1
        // The mean is updated incrementally, which remains accurate for any number of positions.
        mean.east += (position.east - mean.east) / Double(slowCount)
        mean.north += (position.north - mean.north) / Double(slowCount)
    }

    func contains(_ coordinate: Coordinate) -> Bool {
        plane.point(at: coordinate).distance < reach + Self.surroundings
    }
}

/// The regions that contain a receiver's positions.
package struct Regions: Sendable {
    /// The maximum number of regions. If there are more, the last one contains all other positions.
    private static let limit = 16
    /// A distance in metres and a speed in metres per second. If a receiver exceeds both between
    /// two fixes, it cannot really have moved from one position to the other.
    private static let leap = (distance: 10_000.0, speed: 1_000.0)

    package private(set) var all: [Region] = []
    private var current = 0
    private var last: (coordinate: Coordinate, moment: FixTime)?

    package init() {}

    /// The index of the region that contains a position, and the position on that region's plane.
    struct Address {
        let region: Int
        let position: LocalPlane.Point
        /// Whether the receiver cannot have reached the position from the previous one.
        let isLeap: Bool
    }

    mutating func add(
        _ coordinate: Coordinate, at moment: FixTime, isFast: Bool
    ) -> Address {
        var isLeap = false
        if all.isEmpty {
            all.append(Region(at: coordinate))
        } else if last.map({ Self.isLeap(from: $0, to: coordinate, at: moment) }) ?? false {
            isLeap = true
            current = index(of: coordinate)
        }
        last = (coordinate, moment)
        let position = all[current].plane.point(at: coordinate)
        all[current].add(position, isFast: isFast)
        return Address(region: current, position: position, isLeap: isLeap)
    }

    private static func isLeap(
        from last: (coordinate: Coordinate, moment: FixTime), to coordinate: Coordinate,
        at moment: FixTime
    ) -> Bool {
        // Avoids the calculation for most fixes, which are close to the previous one.
        let near = 0.05
        if abs(coordinate.latitude - last.coordinate.latitude) < near,
            abs(coordinate.longitude - last.coordinate.longitude) < near
        {
            return false
        }
        let distance = LocalPlane(at: last.coordinate).point(at: coordinate).distance
        guard distance > leap.distance, let seconds = moment.seconds(since: last.moment) else {
            return false
        }
        return distance > leap.speed * max(0.001, abs(seconds))
    }

    private mutating func index(of coordinate: Coordinate) -> Int {
        if let known = all.firstIndex(where: { $0.contains(coordinate) }) { return known }
        guard all.count < Self.limit else { return all.count - 1 }
        all.append(Region(at: coordinate))
        return all.count - 1
    }

    // MARK: Results

    /// The index of the region with the most positions; `nil` if there are none.
    package var main: Int? {
        all.indices.max { all[$0].count < all[$1].count }
    }

    /// Returns whether a region is shown: the main one, and those with at least one per cent of all
    /// positions.
    func isShown(_ index: Int) -> Bool {
        guard all.indices.contains(index) else { return false }
        return index == main || all[index].count * 100 >= all.reduce(0) { $0 + $1.count }
    }

    /// The number of positions in regions that are not shown, and the maximum distance of such a
    /// region from the main one in metres; `nil` if all are shown.
    package var strays: (count: Int, distance: Double)? {
        guard let main else { return nil }
        let strays = all.indices.filter { !isShown($0) }
        guard !strays.isEmpty else { return nil }
        let plane = all[main].plane
        return (
            strays.reduce(0) { $0 + all[$1].count },
            strays.map { plane.point(at: all[$0].plane.origin).distance }.max() ?? 0
        )
    }
}

/// A random sample of values (reservoir sampling, algorithm R). Each value is included with the
/// same probability. If at most `limit` values were added, the sample contains all of them. The
/// same values in the same order always give the same sample.
package struct Sample<Value: Sendable>: Sendable {
    package private(set) var values: [Value] = []
    /// The number of values that were added.
    package private(set) var count = 0
    private let limit: Int
    private var random = SeededGenerator(seed: 0x9E37_79B9_7F4A_7C15)

    package init(limit: Int) {
        self.limit = max(1, limit)
    }

    package mutating func add(_ value: Value) {
        count += 1
        guard values.count == limit else { return values.append(value) }
        let index = random.next() % UInt64(count)
        if index < UInt64(limit) { values[Int(index)] = value }
    }
}

/// The distribution of positions around their mean or the true position.
package struct Scatter: Sendable {
    /// The positions relative to the centre, in metres.
    let points: [LocalPlane.Point]
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

/// The bounding box of a set of coordinates on a local plane, in metres.
struct PlaneBox {
    private var west = Double.infinity
    private var east = -Double.infinity
    private var south = Double.infinity
    private var north = -Double.infinity

    init(_ coordinates: [Coordinate], on plane: LocalPlane) {
        for position in coordinates.map({ plane.point(at: $0) }) {
            (west, east) = (min(west, position.east), max(east, position.east))
            (south, north) = (min(south, position.north), max(north, position.north))
        }
    }

    var width: Double { max(0, east - west) }
    var height: Double { max(0, north - south) }
    var middle: LocalPlane.Point {
        LocalPlane.Point(east: (west + east) / 2, north: (south + north) / 2)
    }
}
