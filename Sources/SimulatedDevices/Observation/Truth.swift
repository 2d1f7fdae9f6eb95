// SPDX-License-Identifier: MIT
public import GNSS

/// The ground truth of an epoch.
public struct Truth: Hashable, Sendable {
    /// A satellite above the horizon, whether or not it is tracked.
    public struct Satellite: Hashable, Sendable {
        /// The satellite's id.
        public var id: SatelliteID
        /// The elevation in degrees above the horizon.
        public var elevation: Double
        /// The azimuth in degrees from true north, 0 up to 360.
        public var azimuth: Double
    }

    /// The true time.
    public var time: UTCTime
    /// The true position and velocity of the antenna.
    public var state: TrueState
    /// The satellites above the horizon, sorted by id, including those that walls hide.
    public var satellites: [Satellite]
}
