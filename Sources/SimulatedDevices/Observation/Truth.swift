// SPDX-License-Identifier: MIT
public import GNSS

/// The ground truth of an epoch.
public struct Truth: Hashable, Sendable {
    /// A satellite above the horizon, tracked or not.
    public struct Satellite: Hashable, Sendable {
        /// The satellite's id.
        public var id: SatelliteID
        /// Degrees above the horizon.
        public var elevation: Double
        /// Degrees from true north, 0 up to 360.
        public var azimuth: Double
    }

    /// The true time.
    public var time: UTCTime
    /// The state of the antenna.
    public var state: TrueState
    /// The satellites above the horizon, ordered by id, including those that walls hide.
    public var satellites: [Satellite]
}
