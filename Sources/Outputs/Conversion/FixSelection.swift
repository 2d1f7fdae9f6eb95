// SPDX-License-Identifier: MIT
public import GNSS

/// Which fixes are written: those of some time, and so many of them.
public struct FixSelection: Sendable {
    /// Fixes before it are left out, and so are those without a date.
    public var start: UTCTime?

    /// Fixes from it on are left out, and so are those without a date.
    public var end: UTCTime?

    /// The least number of seconds between two fixes.
    public var interval: Double?

    /// The least number of metres between two fixes.
    public var distance: Double?

    /// How many metres a fix that is left out may lie off the line between those that are written.
    public var tolerance: Double?

    /// Seconds without a fix after which a track begins a new segment.
    public var gap = 60.0

    /// Selects every fix.
    public init() {}

    /// Whether every fix is written.
    public var isEverything: Bool { start == nil && end == nil && !isThinned }

    /// Whether only some of the fixes of that time are written.
    public var isThinned: Bool { interval != nil || distance != nil || tolerance != nil }
}
