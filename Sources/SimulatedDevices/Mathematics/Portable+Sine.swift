// SPDX-License-Identifier: MIT

extension Portable {
    /// Sine and cosine of an angle in radians, each within 2 units in the last place as long as the
    /// angle stays below 10 000 turns and is not within 1e-9 of a zero of it.
    package static func sinCos(_ angle: Double) -> (sin: Double, cos: Double) {
        guard angle.isFinite else { return (.nan, .nan) }
        let small =
            angle.magnitude < 1e5 ? angle : angle.truncatingRemainder(dividingBy: 2 * .pi)
        // What is left of it after whole quarter turns, in two parts; each product is exact.
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

    /// Sine of an angle in radians.
    package static func sin(_ angle: Double) -> Double { sinCos(angle).sin }

    /// Cosine of an angle in radians.
    package static func cos(_ angle: Double) -> Double { sinCos(angle).cos }

    // Taylor's series, up to an eighth of a turn: what is left out is below 1e-17.

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
