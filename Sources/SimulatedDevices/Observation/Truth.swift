// SPDX-License-Identifier: MIT
public import GNSS

/// The ground truth of an epoch.
public struct Truth: Hashable, Sendable {
    /// A satellite above the horizon, tracked or not.
    public struct Satellite: Hashable, Sendable {
        /// Which satellite.
        public var id: SatelliteID
        /// Degrees above the horizon.
        public var elevation: Double
        /// Degrees from true north, 0 up to 360.
        public var azimuth: Double
    }

    /// The true time.
    public var time: UTCTime
    /// Where the antenna is.
    public var state: TrueState
    /// The satellites above the horizon, by id; walls do not count.
    public var satellites: [Satellite]
}
