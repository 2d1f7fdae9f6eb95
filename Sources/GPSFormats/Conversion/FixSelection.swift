// SPDX-License-Identifier: MIT
public import GNSS

/// A selection of fixes by time, quality and density.
public struct FixSelection: Hashable, Sendable {
    /// Fixes before this time, and fixes without a date, are omitted; `nil` for no limit.
    public var start: UTCTime?

    /// Fixes at or after this time, and fixes without a date, are omitted; `nil` for no limit.
    public var end: UTCTime?

    /// The maximum HDOP; fixes with a larger or unknown one are omitted.
    public var maximumHDOP: Double?

    /// The maximum PDOP; fixes with a larger or unknown one are omitted.
    public var maximumPDOP: Double?

    /// The minimum number of satellites used; fixes with fewer or an unknown number are omitted.
    public var minimumSatellites: Int?

    /// The maximum horizontal accuracy in metres; fixes with a larger or unknown one are omitted.
    public var maximumAccuracy: Double?

    /// The qualities that are kept; `nil` keeps all.
    public var qualities: Set<FixQuality>?

    /// The minimum time between two fixes in seconds.
    public var interval: Double?

    /// The minimum distance between two fixes in metres.
    public var distance: Double?

    /// The maximum distance in metres of an omitted fix from the line between the written ones.
    public var tolerance: Double?

    /// The time in seconds without a fix after which a track begins a new segment.
    public var gap = 60.0

    /// Selects every fix.
    public init() {}

    /// Whether every fix is written.
    public var isEverything: Bool { start == nil && end == nil && !isThinned && !isDiscarding }

    /// Whether fixes are omitted by their quality.
    public var isDiscarding: Bool {
        maximumHDOP != nil || maximumPDOP != nil || minimumSatellites != nil
            || maximumAccuracy != nil || qualities != nil
    }

    /// Whether a fix has the required quality.
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

    /// Whether fixes are omitted by time, distance or shape.
    public var isThinned: Bool { interval != nil || distance != nil || tolerance != nil }
}
