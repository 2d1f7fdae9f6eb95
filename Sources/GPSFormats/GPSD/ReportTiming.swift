// SPDX-License-Identifier: MIT

/// The times at which a fix arrived and was reported, according to the system clock.
public struct ReportTiming: Hashable, Sendable {
    /// The arrival of the epoch's first byte, in seconds of Unix time.
    public var firstByte: Double
    /// The time of the report, in seconds of Unix time.
    public var reported: Double

    /// The size of the epoch's data in bytes. If it is set, the report also contains the members
    /// for gpsprof: the size, the satellites used, the GPS week and the time of week. Default:
    /// `nil`.
    public var byteCount: Int?

    /// Creates a timing.
    public init(firstByte: Double, reported: Double) {
        self.firstByte = firstByte
        self.reported = reported
    }
}
