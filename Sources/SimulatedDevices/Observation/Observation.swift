// SPDX-License-Identifier: MIT
public import GNSS

/// A receiver's measurements at one epoch, with the ground truth.
public struct Observation: Hashable, Sendable {
    /// The ground truth.
    public var truth: Truth
    /// The time that the receiver reports; `nil` until it knows the time.
    public var time: UTCTime?
    /// The satellites that the receiver lists, sorted by id.
    public var satellites: [ObservedSatellite]
    /// The position; `nil` without a fix.
    public var solution: Solution?
}

/// A satellite that the receiver lists.
public struct ObservedSatellite: Hashable, Sendable {
    /// The satellite's id.
    public var id: SatelliteID
    /// The elevation in degrees above the horizon, not rounded.
    public var elevation: Double
    /// The azimuth in degrees from true north, 0 up to 360, not rounded.
    public var azimuth: Double
    /// The tracked signals; empty if the satellite is listed but not tracked.
    public var signals: [ObservedSignal]
    /// Whether the solution uses the satellite.
    public var isUsed: Bool
}

/// A tracked signal of a satellite.
public struct ObservedSignal: Hashable, Sendable {
    /// The NMEA 4.11 signal ID, as in `SatelliteSignal`. 1 is the first civil signal of every
    /// constellation except Galileo, whose E1 signal is 7.
    public var signal: UInt8
    /// The carrier-to-noise density in dB-Hz, not rounded.
    public var cn0: Double
}
