// SPDX-License-Identifier: MIT
public import GNSS

/// A receiver's measurements at one epoch, beside the ground truth.
public struct Observation: Hashable, Sendable {
    /// The ground truth.
    public var truth: Truth
    /// The receiver's own time; `nil` until it has learned it.
    public var time: UTCTime?
    /// The satellites that the receiver lists, by id.
    public var satellites: [ObservedSatellite]
    /// Its position; `nil` without a fix.
    public var solution: Solution?
}

/// A satellite as the receiver lists it.
public struct ObservedSatellite: Hashable, Sendable {
    /// Which satellite.
    public var id: SatelliteID
    /// Degrees above the horizon, not rounded.
    public var elevation: Double
    /// Degrees from true north, 0 up to 360, not rounded.
    public var azimuth: Double
    /// The signals that are tracked; empty where it is listed but not tracked.
    public var signals: [ObservedSignal]
    /// Whether the solution uses it.
    public var isUsed: Bool
}

/// One signal of a satellite that is tracked.
public struct ObservedSignal: Hashable, Sendable {
    /// NMEA 4.11's signal id within the constellation, as in `SatelliteSignal`; 1 is the first
    /// civil signal of every constellation but Galileo, whose E1 is 7.
    public var signal: UInt8
    /// Carrier-to-noise density in dB-Hz, not rounded.
    public var cn0: Double
}
