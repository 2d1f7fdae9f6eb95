// SPDX-License-Identifier: MIT

/// The times at which a fix arrived and was reported, by the system's clock.
public struct ReportTiming: Hashable, Sendable {
    /// The arrival of the epoch's first byte, in seconds since 1970.
    public var firstByte: Double
    /// The time of the report, in seconds since 1970.
    public var reported: Double

    /// The size of the epoch in bytes. If set, a report has all members that gpsd adds for profiling, including
    /// the satellites used and the GPS week and time of week. Default: `nil`.
    public var byteCount: Int?

    /// Creates a timing.
    public init(firstByte: Double, reported: Double) {
        self.firstByte = firstByte
        self.reported = reported
    }
}
