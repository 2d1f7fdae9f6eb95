// SPDX-License-Identifier: MIT

/// One signal of one satellite in view, as a receiver lists it.
public struct SatelliteSignal: Hashable, Sendable {
    /// The satellite that transmits the signal.
    public var id: SatelliteID

    /// The NMEA 4.11 signal ID within the constellation, 1 to 15; 0 if it is not reported.
    public var signal: UInt8

    /// The elevation in degrees above the horizon, -90 to 90.
    public var elevation: Double?

    /// The azimuth in degrees from true north, 0 up to 360.
    public var azimuth: Double?

    /// The carrier-to-noise density in dB-Hz; `nil` if the signal is not tracked.
    public var cn0: Double?

    /// Creates a signal. Omitted values are unknown.
    @inlinable
    public init(
        id: SatelliteID, signal: UInt8 = 0, elevation: Double? = nil, azimuth: Double? = nil,
        cn0: Double? = nil
    ) {
        self.id = id
        self.signal = signal
        self.elevation = elevation
        self.azimuth = azimuth
        self.cn0 = cn0
    }

    /// A key that sorts signals by satellite, then by signal.
    @inlinable
    package var sortKey: UInt32 {
        UInt32(id.constellation.rawValue) << 16 | UInt32(id.svid) << 8 | UInt32(signal)
    }
}
