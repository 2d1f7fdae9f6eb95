// SPDX-License-Identifier: MIT
public import GNSS

/// A satellite as the receiver lists it.
public struct ObservedSatellite: Hashable, Sendable {
    /// Which satellite.
    public var id: SatelliteID
    /// Degrees above the horizon, not rounded.
    public var elevation: Double
    /// Degrees from true north, 0 up to 360, not rounded.
    public var azimuth: Double
    /// The signals that are tracked; empty where it is known to be there but not heard.
    public var signals: [ObservedSignal]
    /// Whether the solution uses it.
    public var isUsed: Bool

    /// Makes a satellite.
    public init(
        id: SatelliteID, elevation: Double, azimuth: Double, signals: [ObservedSignal] = [],
        isUsed: Bool = false
    ) {
        self.id = id
        self.elevation = elevation
        self.azimuth = azimuth
        self.signals = signals
        self.isUsed = isUsed
    }
}
