// SPDX-License-Identifier: MIT

/// When a fix arrived and was reported, by the system's clock.
public struct ReportTiming: Hashable, Sendable {
    /// Seconds since 1970 at which the epoch's first byte had arrived.
    public var firstByte: Double
    /// Seconds since 1970 at which the report is written.
    public var reported: Double

    /// The bytes of the epoch; with it a report has all that gpsd adds for profilers: also the satellites used, and the week
    /// and the time of week of GPS. Default: `nil`.
    public var byteCount: Int?

    /// Creates a timing.
    public init(firstByte: Double, reported: Double) {
        self.firstByte = firstByte
        self.reported = reported
    }
}
