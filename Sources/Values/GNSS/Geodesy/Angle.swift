// SPDX-License-Identifier: MIT

extension Double {
    /// The angle in degrees, converted to radians.
    package var radians: Double { self * .pi / 180 }

    /// The angle in radians, converted to degrees.
    package var degrees: Double { self * 180 / .pi }

    /// The angle in degrees, wrapped to the range 0 up to 360.
    package var wrappedDegrees: Double {
        let rest = truncatingRemainder(dividingBy: 360)
        let positive = rest < 0 ? rest + 360 : rest
        return positive >= 360 ? 0 : positive.magnitude  // not -0
    }

    /// Returns the magnetic direction, from 0 up to 360, for this true direction in degrees.
    /// `variation` is the magnetic variation, positive to the east.
    package func magnetic(_ variation: Double) -> Double { (self - variation).wrappedDegrees }
}
