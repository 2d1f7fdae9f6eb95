// SPDX-License-Identifier: MIT

/// One signal of one satellite in view, as a receiver lists it.
public struct SatelliteSignal: Hashable, Sendable {
    /// The satellite.
    public var id: SatelliteID

    /// NMEA 4.11's signal id within the constellation, 1 to 15; 0 where it is not reported.
    public var signal: UInt8

    /// Degrees above the horizon, -90 to 90.
    public var elevation: Double?

    /// Degrees from true north, 0 up to 360.
    public var azimuth: Double?

    /// Carrier-to-noise density in dB-Hz; `nil` if the signal is not tracked.
    public var cn0: Double?

    /// Creates a signal; unknown values are omitted.
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

    /// Orders by satellite, then by signal.
    @inlinable
    package var sortKey: UInt32 {
        UInt32(id.constellation.rawValue) << 16 | UInt32(id.svid) << 8 | UInt32(signal)
    }
}
