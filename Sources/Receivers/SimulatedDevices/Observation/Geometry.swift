// SPDX-License-Identifier: MIT
import GNSS

/// The covariance of a least-squares position, computed from the directions to the used satellites.
/// Each constellation has its own clock offset, because the system times differ.
package struct Geometry: Hashable, Sendable {
    /// The covariance of the position for range errors of variance 1.
    package var covariance: Covariance
    /// The variance of the first constellation's clock offset for range errors of variance 1.
    var clock: Double

    /// Computes the geometry of the used satellites, which must be sorted by constellation. If
    /// `isFlat` is `true`, the altitude is held (2D). Returns `nil` if there are too few
    /// satellites, or their directions do not determine a position.
    package init?(_ used: [Sighting], isFlat: Bool = false) {
        // Subtracting the mean direction of each constellation eliminates its clock offset. This is
        // equivalent to inverting the full matrix.
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

    /// Returns the dilutions of precision. Pass the same `isFlat` as to the initializer.
    package func dilution(isFlat: Bool) -> Dilution {
        let plane = covariance.ee + covariance.nn
        let space = plane + covariance.uu
        return Dilution(
            hdop: plane.squareRoot(), vdop: isFlat ? nil : covariance.uu.squareRoot(),
            pdop: space.squareRoot(), tdop: clock.squareRoot(),
            gdop: (space + clock).squareRoot())
    }
}

/// A symmetric 3x3 matrix for the directions east (`e`), north (`n`) and up (`u`).
package struct Covariance: Hashable, Sendable {
    package var ee = 0.0
    var en = 0.0
    var eu = 0.0
    package var nn = 0.0
    var nu = 0.0
    var uu = 0.0

    /// Adds the outer product of a vector with itself.
    mutating func add(_ direction: Vector) {
        ee += direction.x * direction.x
        en += direction.x * direction.y
        eu += direction.x * direction.z
        nn += direction.y * direction.y
        nu += direction.y * direction.z
        uu += direction.z * direction.z
    }

    /// The inverse; `nil` if the matrix is nearly singular.
    var inverse: Covariance? {
        let east = nn * uu - nu * nu
        let mixed = eu * nu - en * uu
        let up = en * nu - eu * nn
        let determinant = ee * east + en * mixed + eu * up
        guard determinant > 1e-6 else { return nil }
        var inverse = Covariance()
        inverse.ee = east / determinant
        inverse.en = mixed / determinant
        inverse.eu = up / determinant
        inverse.nn = (ee * uu - eu * eu) / determinant
        inverse.nu = (en * eu - ee * nu) / determinant
        inverse.uu = (ee * nn - en * en) / determinant
        return inverse
    }

    /// The inverse of the 2x2 matrix for east and north; `nil` if it is nearly singular.
    var flatInverse: Covariance? {
        let determinant = ee * nn - en * en
        guard determinant > 1e-6 else { return nil }
        var inverse = Covariance()
        inverse.ee = nn / determinant
        inverse.en = -en / determinant
        inverse.nn = ee / determinant
        return inverse
    }

    /// Returns the variance along a direction: `d` transposed, times the matrix, times `d`.
    func variance(along d: Vector) -> Double {
        let plane = ee * d.x * d.x + nn * d.y * d.y + 2 * en * d.x * d.y
        return plane + uu * d.z * d.z + 2 * (eu * d.x + nu * d.y) * d.z
    }

    /// Transforms three independent errors of variance 1 into errors with this covariance (Cholesky
    /// decomposition).
    func correlate(_ z: Vector) -> Vector {
        let east = ee.squareRoot()
        let northEast = en / east
        let north = max(0, nn - northEast * northEast).squareRoot()
        let upEast = eu / east
        let upNorth = north > 0 ? (nu - upEast * northEast) / north : 0
        let up = max(0, uu - upEast * upEast - upNorth * upNorth).squareRoot()
        return Vector(
            x: east * z.x, y: northEast * z.x + north * z.y,
            z: upEast * z.x + upNorth * z.y + up * z.z)
    }

    /// Returns the standard deviations and the error ellipse for a one-sigma range error of `range`
    /// metres. If `isFlat` is `true` (2D), `up` is `nil`.
    package func deviations(range: Double, isFlat: Bool) -> Deviations {
        let middle = (ee + nn) / 2
        let difference = (nn - ee) / 2
        let reach = (difference * difference + en * en).squareRoot()
        let angle = 0.5 * PortableMath.atan2(en, difference)
        let turned = angle.degrees.truncatingRemainder(dividingBy: 180)
        return Deviations(
            range: range, east: range * ee.squareRoot(), north: range * nn.squareRoot(),
            up: isFlat ? nil : range * uu.squareRoot(),
            semiMajor: range * (middle + reach).squareRoot(),
            semiMinor: range * max(0, middle - reach).squareRoot(),
            orientation: turned < 0 ? turned + 180 : turned)
    }
}
