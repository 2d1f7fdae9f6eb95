// SPDX-License-Identifier: MIT

// This import links the mathematics library, which `rounded()` needs.
import Glibc

/// Mathematical functions that return the same bits on every machine, unlike those of a system's
/// mathematics library. They use only correctly rounded IEEE 754 operations, and no fused
/// multiply-add.
package enum PortableMath {
    /// Rounds a number below 2^51 in magnitude to the nearest integer. Halves are rounded to the
    /// even integer.
    ///
    /// It adds and subtracts a constant, because `rounded()` calls the mathematics library on some
    /// machines.
    package static func nearest(_ number: Double) -> Double {
        (number + 0x1.8p52) - 0x1.8p52
    }
}

extension PortableMath {
    /// Returns the sine and cosine of an angle in radians. Each is exact to 2 units in the last
    /// place if the angle is below 10 000 turns and not within 1e-9 of one of the function's zeros.
    package static func sinCos(_ angle: Double) -> (sin: Double, cos: Double) {
        guard angle.isFinite else { return (.nan, .nan) }
        let small =
            angle.magnitude < 1e5 ? angle : angle.truncatingRemainder(dividingBy: 2 * .pi)
        // The remainder after whole quarter turns, in two parts (`rest` and `tail`). The products
        // in `rough` and `fine` are exact.
        let quarters = nearest(small * (2 / .pi))
        let rough = small - quarters * 0x1.921fb544p+0
        let fine = quarters * 0x1.0b4611a6p-34
        let rest = rough - fine
        let tail = (rough - rest) - fine - quarters * 0x1.3198a2e037073p-69

        let square = rest * rest
        let sine = rest + (rest * square * sineSeries(square) + tail * (1 - 0.5 * square))
        let half = 0.5 * square
        let cosine =
            (1 - half)
            + (((1 - (1 - half)) - half) + (square * square * cosineSeries(square) - rest * tail))
        switch Int(quarters) & 3 {
        case 0: return (sine, cosine)
        case 1: return (cosine, -sine)
        case 2: return (-sine, -cosine)
        default: return (-cosine, sine)
        }
    }

    /// Returns the sine of an angle in radians.
    package static func sin(_ angle: Double) -> Double { sinCos(angle).sin }

    /// Returns the cosine of an angle in radians.
    static func cos(_ angle: Double) -> Double { sinCos(angle).cos }

    // Taylor series for angles up to an eighth of a turn. The omitted terms are below 1e-17.

    private static func sineSeries(_ z: Double) -> Double {
        let high = 1 / 6_227_020_800 + z * (-1 / 1_307_674_368_000 + z / 355_687_428_096_000)
        let middle = -1 / 5040 + z * (1 / 362_880 + z * (-1 / 39_916_800 + z * high))
        return -1 / 6 + z * (1 / 120 + z * middle)
    }

    private static func cosineSeries(_ z: Double) -> Double {
        let high = -1 / 87_178_291_200 + z * (1 / 20_922_789_888_000 - z / 6_402_373_705_728_000)
        let middle = 1 / 40_320 + z * (-1 / 3_628_800 + z * (1 / 479_001_600 + z * high))
        return 1 / 24 + z * (-1 / 720 + z * middle)
    }
}

extension PortableMath {
    /// Returns the angle of the point (x, y) in radians, -π to π, within 3 units in the last place.
    package static func atan2(_ y: Double, _ x: Double) -> Double {
        guard !y.isNaN, !x.isNaN else { return .nan }
        let up = y.magnitude
        let across = x.magnitude
        guard up != 0 || across != 0 else { return y }
        // If both are infinite, the point is on the diagonal.
        let isSteep = up > across
        let slope = up == across ? 1 : isSteep ? across / up : up / across
        var angle = arc(slope)
        if isSteep { angle = 0.5 * .pi - angle }
        if x < 0 { angle = .pi - angle }
        return y < 0 ? -angle : angle
    }

    /// Returns the arc sine in radians, -π/2 to π/2. Values beyond ±1 are treated as ±1.
    package static func asin(_ sine: Double) -> Double {
        let sine = min(1, max(-1, sine))
        return atan2(sine, ((1 - sine) * (1 + sine)).squareRoot())
    }

    /// Returns the arc tangent of a number from 0 to 1: the value in the table for the nearest
    /// eighth, plus a series for the difference.
    private static func arc(_ slope: Double) -> Double {
        let eighths = (slope * 8).rounded()
        let near = eighths / 8
        let rest = (slope - near) / (1 + slope * near)
        let z = rest * rest
        let high = 1 / 9 + z * (-1 / 11 + z * (1 / 13 - z / 15))
        let series = z * (-1 / 3 + z * (1 / 5 + z * (-1 / 7 + z * high)))
        return known(Int(eighths)) + (rest + rest * series)
    }

    private static func known(_ eighths: Int) -> Double {
        switch eighths {
        case 0: 0
        case 1: 0.12435499454676144
        case 2: 0.24497866312686414
        case 3: 0.35877067027057225
        case 4: 0.4636476090008061
        case 5: 0.5585993153435624
        case 6: 0.6435011087932844
        case 7: 0.7188299996216245
        default: 0.7853981633974483
        }
    }
}

extension PortableMath {
    /// Returns e to a power, within 2 units in the last place. Results that are too small or too
    /// large for a `Double` become 0 or infinity.
    package static func exp(_ power: Double) -> Double {
        guard !power.isNaN else { return .nan }
        guard power > -708 else { return 0 }
        guard power < 709 else { return .infinity }
        let doublings = (power * 1.4426950408889634).rounded()
        let high = power - doublings * 0x1.62e42fefp-1
        let rest = high - doublings * 0x1.473de6af278edp-34
        var sum = 0.0
        for divisor in stride(from: 14.0, to: 1, by: -1) {
            sum = (1 + sum) * rest / divisor
        }
        return Double(
            sign: .plus, exponent: Int(doublings), significand: 1 + (rest + rest * sum))
    }

    /// Returns the decimal logarithm, within 3 units in the last place of the result or of 1,
    /// whichever is larger. The result is NaN below 0 and minus infinity at 0.
    package static func log10(_ number: Double) -> Double {
        guard number > 0, number < .infinity else {
            return number == 0 ? -.infinity : number == .infinity ? number : .nan
        }
        var exponent = Double(number.exponent)
        var significand = number.significand
        if significand > 1.4142135623730951 {
            significand /= 2
            exponent += 1
        }
        let slope = (significand - 1) / (significand + 1)
        let z = slope * slope
        var sum = 0.0
        for divisor in stride(from: 23.0, through: 3, by: -2) { sum = (sum + 1 / divisor) * z }
        let natural = 2 * (slope + slope * sum)
        return exponent * 0.30102999566398120 + natural * 0.43429448190325182
    }
}
