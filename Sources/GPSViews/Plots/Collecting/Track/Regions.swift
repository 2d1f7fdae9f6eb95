// SPDX-License-Identifier: MIT
import GNSS

/// The regions of the world in which a receiver has reported positions.
package struct Regions: Sendable {
    /// The maximum number of regions; further positions are added to the last one.
    private static let limit = 16
    /// The distance in metres and the speed in metres per second that no receiver exceeds from one
    /// fix to the next.
    private static let leap = (distance: 10_000.0, speed: 1_000.0)

    package private(set) var all: [Region] = []
    private var current = 0
    private var last: (coordinate: Coordinate, moment: FixTime)?

    package init() {}

    /// The region and place of a position.
    struct Address {
        let region: Int
        let place: LocalPlane.Place
        /// Whether it cannot have been reached from the previous position.
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
        let place = all[current].plane.place(coordinate)
        all[current].add(place, isFast: isFast)
        return Address(region: current, place: place, isLeap: isLeap)
    }

    private static func isLeap(
        from last: (coordinate: Coordinate, moment: FixTime), to coordinate: Coordinate,
        at moment: FixTime
    ) -> Bool {
        // Fast path: most fixes are close to the previous one.
        let near = 0.05
        if abs(coordinate.latitude - last.coordinate.latitude) < near,
            abs(coordinate.longitude - last.coordinate.longitude) < near
        {
            return false
        }
        let distance = LocalPlane(at: last.coordinate).place(coordinate).distance
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

    /// The region with the most positions.
    package var main: Int? {
        all.indices.max { all[$0].count < all[$1].count }
    }

    /// Returns whether a region is shown: the main one, and those with at least one per cent of the
    /// positions.
    package func isShown(_ index: Int) -> Bool {
        guard all.indices.contains(index) else { return false }
        return index == main || all[index].count * 100 >= all.reduce(0) { $0 + $1.count }
    }

    /// The positions in regions that are not shown: their number and maximum distance in metres.
    package var strays: (count: Int, distance: Double)? {
        guard let main else { return nil }
        let strays = all.indices.filter { !isShown($0) }
        guard !strays.isEmpty else { return nil }
        let plane = all[main].plane
        return (
            strays.reduce(0) { $0 + all[$1].count },
            strays.map { plane.place(all[$0].plane.origin).distance }.max() ?? 0
        )
    }
}
