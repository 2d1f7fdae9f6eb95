// SPDX-License-Identifier: MIT
import GNSS

/// A symmetric matrix over east, north and up.
package struct Covariance: Hashable, Sendable {
    package var ee = 0.0
    package var en = 0.0
    package var eu = 0.0
    package var nn = 0.0
    package var nu = 0.0
    package var uu = 0.0

    package init() {}

    /// Adds a direction's product with itself.
    mutating func add(_ direction: Vector) {
        ee += direction.x * direction.x
        en += direction.x * direction.y
        eu += direction.x * direction.z
        nn += direction.y * direction.y
        nu += direction.y * direction.z
        uu += direction.z * direction.z
    }

    /// The inverse; `nil` where there is none to speak of.
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

    /// The inverse over east and north alone.
    var flatInverse: Covariance? {
        let determinant = ee * nn - en * en
        guard determinant > 1e-6 else { return nil }
        var inverse = Covariance()
        inverse.ee = nn / determinant
        inverse.en = -en / determinant
        inverse.nn = ee / determinant
        return inverse
    }

    /// The variance of what lies along a direction.
    func variance(along d: Vector) -> Double {
        let plane = ee * d.x * d.x + nn * d.y * d.y + 2 * en * d.x * d.y
        return plane + uu * d.z * d.z + 2 * (eu * d.x + nu * d.y) * d.z
    }

    /// Three independent errors of variance 1 made into errors of these covariances (by Cholesky).
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

    /// The deviations for range errors of `range` metres, one sigma.
    package func deviations(range: Double, isFlat: Bool) -> Deviations {
        let middle = (ee + nn) / 2
        let difference = (nn - ee) / 2
        let reach = (difference * difference + en * en).squareRoot()
        let angle = 0.5 * Portable.atan2(en, difference)
        let turned = angle.degrees.truncatingRemainder(dividingBy: 180)
        return Deviations(
            range: range, east: range * ee.squareRoot(), north: range * nn.squareRoot(),
            up: isFlat ? nil : range * uu.squareRoot(),
            semiMajor: range * (middle + reach).squareRoot(),
            semiMinor: range * max(0, middle - reach).squareRoot(),
            orientation: turned < 0 ? turned + 180 : turned)
    }
}
