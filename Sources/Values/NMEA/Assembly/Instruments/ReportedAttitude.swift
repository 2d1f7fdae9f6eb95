// SPDX-License-Identifier: MIT
import GNSS

/// An attitude, whether its true heading was reported or calculated, and the values of other
/// instruments.
struct ReportedAttitude: Hashable, Sendable {
    /// Whether the true heading was reported or calculated from the magnetic one, and the data
    /// needed to pair the headings of one instant.
    struct Headings: Hashable, Sendable {
        /// Whether the true heading was reported. Otherwise it is calculated from the magnetic
        /// heading.
        var isTrueReported = false
        /// Whether a true heading has been reported, but no magnetic heading since then.
        var awaitsMagnetic = false
        /// The magnetic variation at the compass in degrees, positive to the east.
        var variation: Double?
    }

    var attitude = Attitude()
    var instruments = Instruments()
    var headings = Headings()

    /// The values of the attitude that are known, as a set with one bit for each.
    var members: UInt8 {
        (headings.isTrueReported ? 1 : 0)
            | (attitude.magneticHeading != nil ? 2 : 0) | (attitude.pitch != nil ? 4 : 0)
            | (attitude.roll != nil ? 8 : 0) | (attitude.heave != nil ? 16 : 0)
            | (attitude.rateOfTurn != nil ? 32 : 0)
    }

    /// Adds the values of another sentence for the same instant.
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
    /// A true heading that was calculated from a magnetic heading is not combined with a different
    /// magnetic heading.
    func filling(_ later: Attitude) -> Attitude {
        var (sum, earlier) = (later, attitude)
        if later.magneticHeading != nil, !headings.isTrueReported { earlier.heading = nil }
        sum.fillGaps(with: earlier)
        return sum
    }
}
