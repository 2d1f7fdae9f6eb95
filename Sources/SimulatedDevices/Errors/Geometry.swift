// SPDX-License-Identifier: MIT
import GNSS

/// What the directions to the used satellites make of their range errors, by least squares: one
/// clock for each constellation, since their system times differ.
package struct Geometry: Hashable, Sendable {
    /// Variances and covariances of the position, for range errors of variance 1.
    package var covariance: Covariance
    /// Variance of the first constellation's clock.
    package var clock: Double

    /// Solves for the position; `isFlat` holds the altitude. `nil` where too few satellites are used
    /// or they stand too nearly in a plane.
    package init?(_ used: [Sighting], isFlat: Bool = false) {
        // Each clock takes away the mean direction of its constellation, exactly as the inverse of
        // the whole matrix would.
        var normal = Covariance()
        var first: (mean: Vector, count: Double)?
        var start = 0
        while start < used.count {
            let constellation = used[start].id.constellation
            var end = start
            var sum = Vector(x: 0, y: 0, z: 0)
            while end < used.count, used[end].id.constellation == constellation {
                let direction = used[end].direction
                sum = Vector(
                    x: sum.x + direction.x, y: sum.y + direction.y, z: sum.z + direction.z)
                end += 1
            }
            let count = Double(end - start)
            let mean = Vector(x: sum.x / count, y: sum.y / count, z: sum.z / count)
            for sighting in used[start..<end] { normal.add(sighting.direction - mean) }
            if first == nil { first = (mean, count) }
            start = end
        }
        guard let first, let inverse = isFlat ? normal.flatInverse : normal.inverse else {
            return nil
        }
        covariance = inverse
        clock = 1 / first.count + inverse.variance(along: first.mean)
    }

    /// The dilutions; `isFlat` as when it was made.
    package func dilution(isFlat: Bool) -> Dilution {
        let plane = covariance.ee + covariance.nn
        let space = plane + covariance.uu
        return Dilution(
            hdop: plane.squareRoot(), vdop: isFlat ? nil : covariance.uu.squareRoot(),
            pdop: space.squareRoot(), tdop: clock.squareRoot(),
            gdop: (space + clock).squareRoot())
    }
}
