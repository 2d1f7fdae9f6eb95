// SPDX-License-Identifier: MIT
import GNSS

/// How the Earth turns, and how flat it is.
package enum Earth {
    /// Turns against the stars in a day of 86 400 s.
    package static let turnsPerDay = 360.985_647_366_29 / 360
    /// Seconds of a turn against the stars.
    package static let siderealDay = 86_400 / turnsPerDay
    /// What its flattening does to an orbit.
    static let j2 = 1.082_63e-3

    /// Days since J2000, 1 January 2000 at noon, from Unix time; UT1 and UTC are taken as one.
    package static func daysSinceJ2000(unixNanoseconds: Int64) -> Double {
        (Double(unixNanoseconds) / 1e9 - 946_728_000) / 86_400
    }

    /// Degrees that Greenwich has turned from the vernal equinox.
    package static func siderealAngle(_ daysSinceJ2000: Double) -> Double {
        (280.460_618_37 + 360 * turnsPerDay * daysSinceJ2000).wrappedDegrees
    }
}
