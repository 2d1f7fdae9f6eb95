// SPDX-License-Identifier: MIT
import GNSS

/// Observes the digits of a receiver's positions: how coarse they are, and for how long they have
/// not changed.
struct PositionDigits: Sendable {
    /// The number of hundredths of a minute in a degree. Positions without finer digits are coarse.
    private static let coarseUnits = 6000.0
    /// The length of a hundredth of a minute of latitude, in metres.
    private static let coarseLength = 18.52
    /// The number of different positions after which the resolution is known.
    private static let minimumCount = 3
    /// The maximum time, in seconds, for which the receiver is assumed to have moved while the
    /// digits did not change.
    private static let longestStandstill = 60.0

    private var isCoarse = true
    private var count = 0
    /// The speed when the digits last changed in metres per second, and the time since then in
    /// seconds.
    private var still: (speed: Double?, seconds: Double) = (nil, 0)

    /// The distance between two positions that differ in the last digit, in metres; 0 if it is
    /// small enough to be ignored.
    var resolution: Double { isCoarse && count >= Self.minimumCount ? Self.coarseLength : 0 }

    /// Adds the first position.
    mutating func begin(_ coordinate: Coordinate, speed: Double?) {
        count = 1
        isCoarse = Self.isCoarse(coordinate)
        still = (speed, 0)
    }

    /// Adds a position that was measured `seconds` after the previous one. `isSame` is `true` if
    /// both positions are equal.
    ///
    /// Returns `nil`, unless the position differs from at least two equal positions before it, and
    /// the speeds are known. In the result, `seconds` is the time since the first of the equal
    /// positions. `reach` is the distance in metres that the receiver may have moved in that time.
    mutating func add(
        _ coordinate: Coordinate, isSame: Bool, speed: Double?, after seconds: Double
    ) -> (seconds: Double, reach: Double)? {
        if isSame {
            still.seconds += seconds
            return nil
        }
        count = min(count + 1, Self.minimumCount)
        isCoarse = isCoarse && Self.isCoarse(coordinate)
        defer { still = (speed, 0) }
        guard still.seconds > 0, let former = still.speed, let speed else { return nil }
        let time = still.seconds + seconds
        return (time, (former + speed) / 2 * min(time, Self.longestStandstill))
    }

    /// Returns whether a position is a multiple of a hundredth of a minute.
    private static func isCoarse(_ coordinate: Coordinate) -> Bool {
        func isWhole(_ degrees: Double) -> Bool {
            let units = degrees * coarseUnits
            return abs(units - units.rounded()) < 1e-4
        }
        return isWhole(coordinate.latitude) && isWhole(coordinate.longitude)
    }
}
