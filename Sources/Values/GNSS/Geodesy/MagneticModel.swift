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

extension MagneticModel {
    /// The coefficients of WMM2025: `g` and `h` in tenths of a nanotesla, and their changes per
    /// year. They are sorted by order, 0 to 12, then by degree, from 1 or the order up to 12.
    ///
    /// Published on 13 November 2024 by NOAA's National Centers for Environmental Information and
    /// the British Geological Survey; in the public domain.
    private static let coefficients: [SIMD4<Int32>] = [
        [-293_518, 0, 120, 0],
        [-25_566, 0, -116, 0],
        [13_610, 0, -13, 0],
        [8950, 0, -16, 0],
        [-2332, 0, 6, 0],
        [644, 0, -2, 0],
        [795, 0, 0, 0],
        [232, 0, -1, 0],
        [46, 0, 0, 0],
        [-13, 0, 1, 0],
        [29, 0, 0, 0],
        [-20, 0, 0, 0],
        [-14_108, 45_454, 97, -215],
        [29_511, -31_336, -52, -277],
        [-24_041, -566, -42, 40],
        [7995, 2786, -24, -11],
        [3689, 454, 14, -5],
        [638, -184, -4, 3],
        [-770, -489, -1, 6],
        [108, 71, 2, -2],
        [78, -248, -1, -3],
        [-64, 33, 0, 0],
        [-15, 0, 0, 0],
        [-2, -13, 0, 0],
        [16_493, -8151, -80, -121],
        [12_438, 2375, 4, -3],
        [557, -1339, -60, 41],
        [1872, 2202, 0, 22],
        [769, 168, 9, -16],
        [-88, -144, -1, 5],
        [-175, -126, 0, 5],
        [30, 122, 1, 3],
        [2, 0, 1, 0],
        [-25, 29, 0, 1],
        [3, 7, 0, 0],
        [4536, -5495, -156, -41],
        [-2811, 2120, 56, 16],
        [-1387, -1229, 6, 4],
        [-1157, 488, 12, -4],
        [593, -10, 5, -8],
        [20, 114, 5, -4],
        [-2, 83, 3, -3],
        [20, 24, 1, -2],
        [24, -6, 0, 0],
        [12, 10, 0, -1],
        [121, -3756, -70, -44],
        [-1420, 430, 22, 17],
        [-409, -598, -9, 9],
        [158, 234, -1, 0],
        [-217, -97, -1, 4],
        [-25, -33, -3, 3],
        [-10, 53, 0, 1],
        [-6, 2, 0, 1],
        [-13, -14, 0, 1],
        [209, 1061, 9, 19],
        [149, 109, 3, 7],
        [25, -74, -8, -10],
        [169, 127, 3, -5],
        [-131, -52, 0, 2],
        [-6, -91, -3, -1],
        [-1, 5, -1, 0],
        [6, 0, 0, 0],
        [-607, 727, 9, 9],
        [-111, -251, -8, 6],
        [150, 7, 2, -6],
        [24, 72, 3, -1],
        [-9, 4, 0, 1],
        [-6, -3, 0, 0],
        [6, 6, 1, 0],
        [142, -23, 8, -2],
        [-168, -52, 0, 3],
        [86, -6, -1, -2],
        [15, -42, -1, 0],
        [-1, -12, 0, 1],
        [5, -1, 0, 0],
        [9, 39, 2, 2],
        [-87, 8, 1, 4],
        [9, -38, -1, -1],
        [11, -17, -1, 0],
        [-1, 8, 0, 0],
        [-129, 100, -1, 1],
        [-27, 9, 0, 2],
        [-10, -29, -1, 0],
        [-4, 1, 0, 0],
        [-39, -91, 0, 0],
        [-2, -18, -1, 0],
        [-2, -10, -1, 0],
        [26, -23, -1, 0],
        [-13, 1, 0, 0],
        [-7, 2, -1, -1],
    ]
}
