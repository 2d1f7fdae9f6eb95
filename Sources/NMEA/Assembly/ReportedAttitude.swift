// SPDX-License-Identifier: MIT
import GNSS

/// An attitude, and where its headings come from.
struct ReportedAttitude: Hashable, Sendable {
    /// The origin of both headings, which keeps those of one instant together.
    struct Headings: Hashable, Sendable {
        /// Whether the true heading was reported as such. It follows from the magnetic one otherwise.
        var isTrueReported = false
        /// Whether no magnetic heading has come since the true one.
        var awaitsMagnetic = false
        /// Degrees by which magnetic north lies east of true north at the compass.
        var variation: Double?
    }

    var attitude = Attitude()
    var headings = Headings()

    /// Which values were reported, one bit each.
    var members: UInt8 {
        (headings.isTrueReported ? 1 : 0)
            | (attitude.magneticHeading != nil ? 2 : 0) | (attitude.pitch != nil ? 4 : 0)
            | (attitude.roll != nil ? 8 : 0) | (attitude.heave != nil ? 16 : 0)
            | (attitude.rateOfTurn != nil ? 32 : 0)
    }

    /// Adds what another sentence of the same instant has reported.
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

    /// The attitude of a fix with what is not known taken from before it. A true heading that follows from
    /// a magnetic one is of no use for another magnetic one.
    func filling(_ later: Attitude) -> Attitude {
        var (sum, earlier) = (later, attitude)
        if later.magneticHeading != nil, !headings.isTrueReported { earlier.heading = nil }
        sum.fillGaps(with: earlier)
        return sum
    }
}
