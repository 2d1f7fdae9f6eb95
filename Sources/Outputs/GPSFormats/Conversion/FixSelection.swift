// SPDX-License-Identifier: MIT
public import GNSS

/// A selection of fixes by time, quality and density.
public struct FixSelection: Hashable, Sendable {
    /// The start of the selected time range. If it is set, earlier fixes and fixes without a date
    /// are omitted.
    public var start: UTCTime?

    /// The end of the selected time range. If it is set, fixes at or after this time and fixes
    /// without a date are omitted.
    public var end: UTCTime?

    /// The maximum HDOP; `nil` for no limit. Fixes with a larger or unknown HDOP are omitted.
    public var maximumHDOP: Double?

    /// The maximum PDOP; `nil` for no limit. Fixes with a larger or unknown PDOP are omitted.
    public var maximumPDOP: Double?

    /// The minimum number of satellites used; `nil` for no limit. Fixes with fewer or an unknown
    /// number are omitted.
    public var minimumSatellites: Int?

    /// The maximum horizontal accuracy in metres; `nil` for no limit. Fixes with a larger or
    /// unknown accuracy are omitted.
    public var maximumAccuracy: Double?

    /// The qualities to keep; `nil` keeps all.
    public var qualities: Set<FixQuality>?

    /// The minimum time between two written fixes in seconds; `nil` for no minimum.
    public var interval: Double?

    /// The minimum distance between two written fixes in metres; `nil` for no minimum.
    public var distance: Double?

    /// The maximum distance of an omitted fix from the line through the written fixes, in metres
    /// (Douglas–Peucker); `nil` to keep all.
    public var tolerance: Double?

    /// The time without a fix after which a new segment begins, in seconds.
    public var gap = 60.0

    /// Creates a selection of all fixes.
    public init() {}

    /// Whether every fix is written.
    public var isEverything: Bool { start == nil && end == nil && !isThinned && !isDiscarding }

    /// Whether fixes are omitted because of their quality, DOP, accuracy or number of satellites.
    public var isDiscarding: Bool {
        maximumHDOP != nil || maximumPDOP != nil || minimumSatellites != nil
            || maximumAccuracy != nil || qualities != nil
    }

    /// Returns whether a fix has the required quality, DOPs, accuracy and number of satellites.
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

    /// Whether fixes are omitted because of `interval`, `distance` or `tolerance`.
    public var isThinned: Bool { interval != nil || distance != nil || tolerance != nil }
}
