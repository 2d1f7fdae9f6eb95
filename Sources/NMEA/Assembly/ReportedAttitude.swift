// SPDX-License-Identifier: MIT
import GNSS

/// An attitude and the origin of its headings.
struct ReportedAttitude: Hashable, Sendable {
    /// The origin of both headings; it keeps the headings of one instant together.
    struct Headings: Hashable, Sendable {
        /// Whether the true heading was reported. Otherwise it is calculated from the magnetic one.
        var isTrueReported = false
        /// Whether no magnetic heading has been reported since the true one.
        var awaitsMagnetic = false
        /// The magnetic variation at the compass in degrees, positive to the east.
        var variation: Double?
    }

    var attitude = Attitude()
    var headings = Headings()

    /// The reported values, one bit each.
    var members: UInt8 {
        (headings.isTrueReported ? 1 : 0)
            | (attitude.magneticHeading != nil ? 2 : 0) | (attitude.pitch != nil ? 4 : 0)
            | (attitude.roll != nil ? 8 : 0) | (attitude.heave != nil ? 16 : 0)
            | (attitude.rateOfTurn != nil ? 32 : 0)
    }

    /// Adds the values of another sentence of the same instant.
    mutating func add(_ other: ReportedAttitude) {
        var sum = other.attitude
        if headings.isTrueReported, !other.headings.isTrueReported {
            sum.heading = attitude.heading
            sum.headingAccuracy = attitude.headingAccuracy
        }
        sum.fillGaps(with: attitude)
        attitude = sum
        headings.isTrueReported = headings.isTrueReported || other.headings.isTrueReported
        headings.variation = other.headings.variation ?? headings.variation
    }

    /// Returns `later` with its missing values filled from this attitude.
    ///
    /// A true heading calculated from a magnetic one is not combined with another magnetic one.
    func filling(_ later: Attitude) -> Attitude {
        var (sum, earlier) = (later, attitude)
        if later.magneticHeading != nil, !headings.isTrueReported { earlier.heading = nil }
        sum.fillGaps(with: earlier)
        return sum
    }
}
