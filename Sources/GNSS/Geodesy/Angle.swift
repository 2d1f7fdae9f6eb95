// SPDX-License-Identifier: MIT

extension Double {
    /// Degrees as radians.
    package var radians: Double { self * .pi / 180 }

    /// Radians as degrees.
    package var degrees: Double { self * 180 / .pi }

    /// Degrees put into 0 up to 360.
    package var wrappedDegrees: Double {
        let rest = truncatingRemainder(dividingBy: 360)
        let positive = rest < 0 ? rest + 360 : rest
        return positive < 360 ? positive : 0
    }
}
