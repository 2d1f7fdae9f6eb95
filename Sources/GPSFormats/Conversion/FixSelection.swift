// SPDX-License-Identifier: MIT
public import GNSS

/// A selection of fixes by time and number.
public struct FixSelection: Hashable, Sendable {
    /// The first instant; fixes before it and those without a date are left out.
    public var start: UTCTime?

    /// The end; fixes at or after it and those without a date are left out.
    public var end: UTCTime?

    /// The largest HDOP; fixes with a larger or unknown one are left out.
    public var maximumHDOP: Double?

    /// The largest PDOP; fixes with a larger or unknown one are left out.
    public var maximumPDOP: Double?

    /// The least number of satellites used; fixes with fewer or an unknown number are left out.
    public var minimumSatellites: Int?

    /// The largest horizontal accuracy in metres; fixes with a larger or unknown one are left out.
    public var maximumAccuracy: Double?

    /// The qualities that are kept; `nil` keeps all.
    public var qualities: Set<FixQuality>?

    /// The least number of seconds between two fixes.
    public var interval: Double?

    /// The least number of metres between two fixes.
    public var distance: Double?

    /// The maximum distance in metres of a fix that is left out from the line between written ones.
    public var tolerance: Double?

    /// Seconds without a fix after which a track begins a new segment.
    public var gap = 60.0

    /// Selects every fix.
    public init() {}

    /// Whether every fix is written.
    public var isEverything: Bool { start == nil && end == nil && !isThinned && !isDiscarding }

    /// Whether fixes are left out by their quality.
    public var isDiscarding: Bool {
        maximumHDOP != nil || maximumPDOP != nil || minimumSatellites != nil
            || maximumAccuracy != nil || qualities != nil
    }

    /// Whether a fix meets the limits of quality.
    func accepts(_ fix: Fix) -> Bool {
        func isWithin(_ value: Double?, _ limit: Double?) -> Bool {
            guard let limit else { return true }
            return value.map { $0 <= limit } ?? false
        }
        if let minimumSatellites, fix.satellitesUsed ?? -1 < minimumSatellites { return false }
        if let qualities, !qualities.contains(fix.quality) { return false }
        return isWithin(fix.dilution.hdop, maximumHDOP)
            && isWithin(fix.dilution.pdop, maximumPDOP)
            && isWithin(fix.accuracy.horizontal, maximumAccuracy)
    }

    /// Whether only some fixes of the selected time are written.
    public var isThinned: Bool { interval != nil || distance != nil || tolerance != nil }
}
