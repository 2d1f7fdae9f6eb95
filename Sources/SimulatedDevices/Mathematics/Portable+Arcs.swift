// SPDX-License-Identifier: MIT

extension Portable {
    /// The angle of the point (x, y) in radians, -π to π, within 3 units in the last place.
    package static func atan2(_ y: Double, _ x: Double) -> Double {
        guard !y.isNaN, !x.isNaN else { return .nan }
        let up = y.magnitude
        let across = x.magnitude
        guard up != 0 || across != 0 else { return y }
        // Both infinite: the diagonal.
        let isSteep = up > across
        let slope = up == across ? 1 : isSteep ? across / up : up / across
        var angle = arc(slope)
        if isSteep { angle = 0.5 * .pi - angle }
        if x < 0 { angle = .pi - angle }
        return y < 0 ? -angle : angle
    }

    /// The angle in radians, -π/2 to π/2, that has this sine; beyond ±1 that of ±1.
    package static func asin(_ sine: Double) -> Double {
        let sine = min(1, max(-1, sine))
        return atan2(sine, ((1 - sine) * (1 + sine)).squareRoot())
    }

    /// The angle in radians, 0 to π, that has this cosine; beyond ±1 that of ±1.
    package static func acos(_ cosine: Double) -> Double {
        let cosine = min(1, max(-1, cosine))
        return atan2(((1 - cosine) * (1 + cosine)).squareRoot(), cosine)
    }

    /// The arc tangent of 0 to 1: from the next of nine known ones, the rest by the series.
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
