// SPDX-License-Identifier: MIT

/// One signal of one satellite in view, as a receiver lists it.
///
/// Numbers are kept to a millionth; no receiver tells more.
public struct SatelliteSignal: Hashable, Sendable {
    /// Which satellite.
    public var id: SatelliteID

    /// NMEA 4.11's signal id within the constellation, 1 to 15; 0 where the receiver does not say.
    public var signal: UInt8

    @usableFromInline package var elevationMillionths: Millionths
    @usableFromInline package var azimuthMillionths: Millionths
    @usableFromInline package var cn0Millionths: Millionths

    /// Who listed it: a later list of the same talker replaces it.
    var source = Contributor(rawValue: 0)

    /// Makes a signal; what is not known is left out.
    @inlinable
    public init(
        id: SatelliteID, signal: UInt8 = 0, elevation: Double? = nil, azimuth: Double? = nil,
        cn0: Double? = nil
    ) {
        self.init(
            id: id, signal: signal, elevation: Millionths(elevation), azimuth: Millionths(azimuth),
            cn0: Millionths(cn0))
    }

    @inlinable
    package init(
        id: SatelliteID, signal: UInt8, elevation: Millionths, azimuth: Millionths, cn0: Millionths
    ) {
        self.id = id
        self.signal = signal
        elevationMillionths = elevation
        azimuthMillionths = azimuth
        cn0Millionths = cn0
    }

    /// Degrees above the horizon, -90 to 90.
    @inlinable public var elevation: Double? {
        get { elevationMillionths.value }
        set { elevationMillionths = Millionths(newValue) }
    }

    /// Degrees from true north, 0 up to 360.
    @inlinable public var azimuth: Double? {
        get { azimuthMillionths.value }
        set { azimuthMillionths = Millionths(newValue) }
    }

    /// Carrier-to-noise density in dB-Hz; `nil` where the signal is not tracked.
    @inlinable public var cn0: Double? {
        get { cn0Millionths.value }
        set { cn0Millionths = Millionths(newValue) }
    }
}
