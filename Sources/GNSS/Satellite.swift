// SPDX-License-Identifier: MIT

/// One satellite in view, with all its signals.
public struct Satellite: Hashable, Sendable {
    /// Which satellite.
    public var id: SatelliteID

    /// Degrees above the horizon, -90 to 90.
    public var elevation: Double?

    /// Degrees from true north, 0 up to 360.
    public var azimuth: Double?

    /// The carrier-to-noise density of its strongest signal in dB-Hz; `nil` where none is tracked.
    public var cn0: Double?

    /// Whether the fix uses it.
    public var isUsed: Bool

    /// Its signals, at least one.
    public var signals: [SatelliteSignal]
}
