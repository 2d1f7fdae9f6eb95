// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct PortableMathTests {
    /// Angles of every size, densest near zero, and multiples of an eighth of a turn.
    private static let angles: [Double] = {
        var angles: [Double] = [1e-300, 1e-20, 1e-9, 59_999.123, -99_999.9]
        for step in -4000...4000 {
            angles.append(Double(step) * 0.001_7)
            angles.append(Double(step) * 0.77)
        }
        for step in -64...64 { angles.append(Double(step) * .pi / 4) }
        return angles
    }()

    @Test func `sine and cosine are within two units of glibc's`() {
        for angle in Self.angles {
            let (sine, cosine) = PortableMath.sinCos(angle)
            #expect(isNear(sine, sin(angle)), "sin \(angle)")
            #expect(isNear(cosine, cos(angle)), "cos \(angle)")
        }
    }

    @Test func `sine and cosine of huge angles are finite`() {
        for angle in [1e6, -1e12, 1e300] {
            let (sine, cosine) = PortableMath.sinCos(angle)
            #expect(abs(sine * sine + cosine * cosine - 1) < 1e-15)
        }
        #expect(PortableMath.sin(.infinity).isNaN)
    }

    @Test func `arcs are within three units of glibc's`() {
        for step in -3000...3000 {
            let angle = Double(step) * 0.001_047
            for radius in [1e-3, 1, 6.4e6] {
                let (x, y) = (radius * cos(angle), radius * sin(angle))
                #expect(isNear(PortableMath.atan2(y, x), atan2(y, x), units: 3), "\(angle)")
            }
        }
        for step in -1000...1000 {
            let value = Double(step) / 1000
            #expect(isNear(PortableMath.asin(value), asin(value), units: 4), "asin \(value)")
        }
    }

    @Test func `arcs of the axes are exact`() {
        #expect(PortableMath.atan2(0, 1) == 0)
        #expect(PortableMath.atan2(0, -1) == .pi)
        #expect(PortableMath.atan2(1, 0) == .pi / 2)
        #expect(PortableMath.atan2(-1, 0) == -.pi / 2)
        #expect(PortableMath.atan2(0, 0) == 0)
        #expect(PortableMath.asin(1.000_000_1) == .pi / 2)
    }

    @Test func `the exponential is within two units of glibc's`() {
        for step in -7000...7000 {
            let power = Double(step) * 0.1
            #expect(isNear(PortableMath.exp(power), exp(power)), "exp \(power)")
        }
        #expect(PortableMath.exp(-1e9) == 0)
        #expect(PortableMath.exp(1e9) == .infinity)
    }

    @Test func `the logarithm is within three units of glibc's`() {
        for step in -3000...3000 {
            let number = exp(Double(step) * 0.01)
            let units = 3 * max(1, abs(log10(number))).ulp
            #expect(abs(PortableMath.log10(number) - log10(number)) <= units, "\(number)")
        }
        #expect(PortableMath.log10(1) == 0)
        #expect(PortableMath.log10(1000) == 3)
        #expect(PortableMath.log10(0) == -.infinity)
        #expect(PortableMath.log10(.infinity) == .infinity)
        #expect(PortableMath.log10(-1).isNaN)
    }

    // Computed once; every machine must give the same bits.
    @Test func `a long sum has the same bits on every machine`() {
        var sum = 0.0
        for angle in Self.angles where angle.magnitude < 1e4 {
            let (sine, cosine) = PortableMath.sinCos(angle)
            sum +=
                sine * 3 - cosine + PortableMath.atan2(sine, cosine + 0.5) + PortableMath.exp(-sine)
        }
        #expect(sum.bitPattern == 4_671_144_559_003_064_114)
    }

    /// Whether two numbers differ by a few units in the last place or, near zero, by 1e-16.
    private func isNear(_ a: Double, _ b: Double, units: Double = 2) -> Bool {
        a == b || abs(a - b) <= max(units * b.ulp, 1e-16)
    }
}
