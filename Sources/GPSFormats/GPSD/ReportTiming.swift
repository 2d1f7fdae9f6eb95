// SPDX-License-Identifier: MIT

/// The times at which a fix arrived and was reported, by the system's clock.
public struct ReportTiming: Hashable, Sendable {
    /// Seconds since 1970 at which the epoch's first byte had arrived.
    public var firstByte: Double
    /// Seconds since 1970 at which the report is written.
    public var reported: Double

    /// The number of bytes of the epoch. If it is set, a report also has what gpsd adds for profilers: the
    /// number of used satellites, and GPS week and time of week. Default: `nil`.
    public var byteCount: Int?

    /// Creates a timing.
    public init(firstByte: Double, reported: Double) {
        self.firstByte = firstByte
        self.reported = reported
    }
}
