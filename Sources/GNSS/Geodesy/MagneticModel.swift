// SPDX-License-Identifier: MIT

/// The World Magnetic Model 2025, valid from 2025 to the end of 2029.
///
/// Main field and its secular variation up to degree 12. Local iron, rocks and magnetic storms are not
/// part of it: the declination is usually within a degree of the truth.
package enum MagneticModel {
    /// A field in nanotesla.
    package struct Field: Hashable, Sendable {
        /// Towards true north.
        package let north: Double
        /// Towards east.
        package let east: Double
        /// Downwards.
        package let down: Double

        /// Degrees by which magnetic north lies east of true north; `nil` near the magnetic poles.
        ///
        /// Below 2000 nT the model's authors call a compass unreliable ("blackout zone").
        package var declination: Double? {
            guard north * north + east * east >= 2000 * 2000 else { return nil }
            return PortableMath.atan2(east, north) * (180 / .pi)
        }
    }

    /// The years for which the model has been published.
    package static let validity = 2025.0..<2030.0

    private static let degree = 12
    /// The radius of the model's reference sphere in metres.
    private static let radius = 6_371_200.0

    /// Returns the declination; `nil` outside the model's validity, and near the magnetic poles.
    ///
    /// - Parameter height: Metres above the ellipsoid; 100 m change the result by less than 0.001°.
    package static func declination(
        at position: Coordinate, height: Double = 0, on time: UTCTime
    ) -> Double? {
        let year = decimalYear(of: time)
        guard validity.contains(year) else { return nil }
        return field(at: position, height: height, year: year).declination
    }

    /// Returns the field in a year with its fraction, such as 2027.5, without checking the validity.
    package static func field(at position: Coordinate, height: Double, year: Double) -> Field {
        let place = Place(position, height: height)
        var sum = Sum()
        var index = 0
        // A column of the triangle after the other: each order with its degrees.
        for order in 0...degree {
            addOrder(order, at: place, years: year - 2025, index: &index, to: &sum)
        }
        // From the geocentric to the geodetic vertical.
        return Field(
            north: sum.north * place.tilt.cos - sum.down * place.tilt.sin,
            east: sum.east,
            down: sum.north * place.tilt.sin + sum.down * place.tilt.cos)
    }

    /// Returns the year of an instant and the fraction of it that has passed.
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

    /// Geocentric coordinates of a place.
    private struct Place {
        /// Of the colatitude: `sin` is towards the equator, `cos` towards the north pole.
        let colatitude: (sin: Double, cos: Double)
        let longitude: (sin: Double, cos: Double)
        /// The reference radius by the distance from the centre.
        let ratio: Double
        /// The geocentric latitude less the geodetic one.
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

    /// Schmidt's semi-normalised functions of one order are found by recursion from degree to degree.
    /// From order 1 on they are divided by the sine of the colatitude, which is 0 at the poles.
    private static func addOrder(
        _ order: Int, at place: Place, years: Double, index: inout Int, to sum: inout Sum
    ) {
        let (sine, cosine) = place.colatitude
        let m = Double(order)
        let angle = multiple(order, of: place.longitude)
        // The function of the degree before, and of the one before that, with their derivatives.
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
            // The function itself and its derivative by the colatitude.
            let function = order == 0 ? value : value * sine
            let derivative = order == 0 ? slope : slope * sine + value * cosine
            sum.north += power * along * derivative
            sum.east += power * m * across * value
            sum.down -= power * Double(n + 1) * along * function
        }
    }

    /// Returns the function of this order and the same degree, from order 1 on divided by the sine, and
    /// its derivative: c s^(m - 1), where c is constant.
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
