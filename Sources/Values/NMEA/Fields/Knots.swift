// SPDX-License-Identifier: MIT

/// Constants for speeds in knots. A knot is exactly 1852 m per hour.
package enum Knots {
    /// The valid speeds in knots, up to 10 000 m/s.
    static let range = 0...19_438.444_924_406_046

    static func metresPerSecond(_ knots: Double?) -> Double? {
        knots.map { $0 * 1852 / 3600 }
    }

    package static func knots(metresPerSecond: Double?) -> Double? {
        metresPerSecond.map { $0 * 3600 / 1852 }
    }

    static func metresPerSecond(kilometresPerHour: Double?) -> Double? {
        kilometresPerHour.map { $0 / 3.6 }
    }
}
