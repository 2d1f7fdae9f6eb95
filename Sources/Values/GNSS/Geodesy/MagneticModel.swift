// SPDX-License-Identifier: MIT

/// The World Magnetic Model 2025, valid from 2025 to the end of 2029.
///
/// It includes the main field and its secular variation up to degree 12, but not the effects of
/// iron, rocks and magnetic storms. The declination is usually within a degree of the true value.
package enum MagneticModel {
    /// A magnetic field in nanotesla.
    package struct Field: Hashable, Sendable {
        /// The component towards true north, in nanotesla.
        package let north: Double
        /// The component towards east, in nanotesla.
        package let east: Double
        /// The downward component, in nanotesla.
        package let down: Double

        /// The angle from true north to magnetic north in degrees, positive to the east; `nil` near
        /// the magnetic poles.
        ///
        /// Where the horizontal field is below 2000 nT, compasses are unreliable (the model's
        /// "blackout zone").
        package var declination: Double? {
            guard north * north + east * east >= 2000 * 2000 else { return nil }
            return PortableMath.atan2(east, north) * (180 / .pi)
        }
    }

    /// The period for which the model is valid, in years.
    package static let validity = 2025.0..<2030.0

    private static let degree = 12
    /// The radius of the model's reference sphere in metres.
    private static let radius = 6_371_200.0

    /// Returns the declination on the ellipsoid in degrees, positive to the east; `nil` outside the
    /// model's validity and near the magnetic poles. A change of 100 m in height changes it by less
    /// than 0.001°.
    package static func declination(at position: Coordinate, on time: UTCTime) -> Double? {
        let year = decimalYear(of: time)
        guard validity.contains(year) else { return nil }
        return field(at: position, height: 0, year: year).declination
    }

    /// Returns the field at `height` metres above the ellipsoid, at a time given as a decimal year,
    /// such as 2027.5. Does not check that the model is valid at that time.
    package static func field(at position: Coordinate, height: Double, year: Double) -> Field {
        let place = Place(position, height: height)
        var sum = Sum()
        var index = 0
        // Coefficients are stored column by column: the degrees of order 0, then those of order 1…
        for order in 0...degree {
            addOrder(order, at: place, years: year - 2025, index: &index, to: &sum)
        }
        // Rotate from the geocentric to the geodetic vertical.
        return Field(
            north: sum.north * place.tilt.cos - sum.down * place.tilt.sin,
            east: sum.east,
            down: sum.north * place.tilt.sin + sum.down * place.tilt.cos)
    }

    /// Returns a time as a decimal year.
    package static func decimalYear(of time: UTCTime) -> Double {
        let year = time.date.year
        guard
            let first = CalendarDate(year: year, month: 1, day: 1),
            let next = CalendarDate(year: year + 1, month: 1, day: 1)
        else { return Double(year) }
        let days = Double(time.date.daysSince1970 - first.daysSince1970)
        let passed = days + Double(time.time.nanoseconds) / Double(TimeOfDay.day)
        return Double(year) + passed / Double(next.daysSince1970 - first.daysSince1970)
    }
}

extension MagneticModel {
    private struct Sum {
        var north = 0.0
        var east = 0.0
        var down = 0.0
    }

    /// A position in geocentric coordinates.
    private struct Place {
        /// The sine and cosine of the geocentric colatitude, the angle from the north pole.
        let colatitude: (sin: Double, cos: Double)
        let longitude: (sin: Double, cos: Double)
        /// The ratio of the reference radius to the distance from the Earth's centre.
        let ratio: Double
        /// The sine and cosine of the geocentric latitude minus the geodetic latitude.
        let tilt: (sin: Double, cos: Double)

        init(_ position: Coordinate, height: Double) {
            let latitude = PortableMath.sinCos(position.latitude * (.pi / 180))
            longitude = PortableMath.sinCos(position.longitude * (.pi / 180))
            let curvature =
                WGS84.semiMajor
                / (1 - WGS84.eccentricitySquared * latitude.sin * latitude.sin).squareRoot()
            let across = (curvature + height) * latitude.cos
            let up = (curvature * (1 - WGS84.eccentricitySquared) + height) * latitude.sin
            let distance = (across * across + up * up).squareRoot()
            colatitude = (across / distance, up / distance)
            ratio = radius / distance
            tilt = (
                colatitude.cos * latitude.cos - colatitude.sin * latitude.sin,
                colatitude.sin * latitude.cos + colatitude.cos * latitude.sin
            )
        }
    }

    /// Adds the terms of one order. Schmidt's semi-normalised functions are computed recursively
    /// from degree to degree.
    ///
    /// From order 1 on, the functions are stored divided by the sine of the colatitude. The east
    /// component needs this quotient, and the sine is 0 at the poles.
    private static func addOrder(
        _ order: Int, at place: Place, years: Double, index: inout Int, to sum: inout Sum
    ) {
        let (sine, cosine) = place.colatitude
        let m = Double(order)
        let angle = multiple(order, of: place.longitude)
        // The functions of the previous two degrees, and their derivatives.
        var (value, slope) = sectoral(order, place.colatitude)
        var (earlier, earlierSlope) = (0.0, 0.0)
        var power = place.ratio * place.ratio
        for _ in 0..<order { power *= place.ratio }

        for n in order...degree {
            if n > order {
                let k = Double(n)
                let scale = 1 / (k * k - m * m).squareRoot()
                let back = ((k - 1) * (k - 1) - m * m).squareRoot() * scale
                let ahead = (2 * k - 1) * scale
                let next = ahead * cosine * value - back * earlier
                let nextSlope = ahead * (cosine * slope - sine * value) - back * earlierSlope
                (earlier, earlierSlope, value, slope) = (value, slope, next, nextSlope)
                power *= place.ratio
            }
            guard n > 0 else { continue }
            let row = SIMD4<Double>(coefficients[index]) * 0.1
            index += 1
            let g = row.x + years * row.z
            let h = row.y + years * row.w
            let along = g * angle.cos + h * angle.sin
            let across = g * angle.sin - h * angle.cos
            // The function and its derivative with respect to the colatitude.
            let function = order == 0 ? value : value * sine
            let derivative = order == 0 ? slope : slope * sine + value * cosine
            sum.north += power * along * derivative
            sum.east += power * m * across * value
            sum.down -= power * Double(n + 1) * along * function
        }
    }

    /// Returns Schmidt's semi-normalised function whose degree equals its order `m`, and its
    /// derivative with respect to the colatitude. From order 1 on, the function is first divided by
    /// the sine `s` of the colatitude. The quotient is c s^(m - 1), with a constant c.
    private static func sectoral(
        _ order: Int, _ colatitude: (sin: Double, cos: Double)
    ) -> (value: Double, slope: Double) {
        guard order > 1 else { return (1, 0) }
        var factor = 1.0
        for m in 2...order { factor *= (Double(2 * m - 1) / Double(2 * m)).squareRoot() }
        var power = 1.0
        for _ in 2..<order { power *= colatitude.sin }
        let slope = factor * Double(order - 1) * power * colatitude.cos
        return (factor * power * colatitude.sin, slope)
    }

    private static func multiple(
        _ order: Int, of angle: (sin: Double, cos: Double)
    ) -> (sin: Double, cos: Double) {
        var result = (sin: 0.0, cos: 1.0)
        for _ in 0..<order {
            result = (
                result.sin * angle.cos + result.cos * angle.sin,
                result.cos * angle.cos - result.sin * angle.sin
            )
        }
        return result
    }
}
