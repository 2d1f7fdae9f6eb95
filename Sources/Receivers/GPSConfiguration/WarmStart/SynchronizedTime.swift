// SPDX-License-Identifier: MIT
package import GNSS

/// The time of a synchronised clock, with its maximum error.
package struct SynchronizedTime: Hashable, Sendable {
    /// The time in UTC.
    package var time: UTCTime
    /// The maximum error in seconds.
    package var maximumError: Double

    /// Creates a time.
    package init(_ time: UTCTime, maximumError: Double) {
        (self.time, self.maximumError) = (time, maximumError)
    }
}

extension UTCTime {
    /// Returns the number of seconds since another instant; negative if this one is earlier.
    func seconds(since other: UTCTime) -> Double {
        (Double(unixNanoseconds) - Double(other.unixNanoseconds)) / 1e9
    }
}
