// SPDX-License-Identifier: MIT
import GNSS

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
    package func isShown(_ index: Int) -> Bool {
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
