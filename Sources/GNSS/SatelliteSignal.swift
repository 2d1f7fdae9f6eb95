// SPDX-License-Identifier: MIT

/// One signal of one satellite in view, as a receiver lists it.
///
/// Numbers are kept to a millionth; no receiver tells more.
public struct SatelliteSignal: Hashable, Sendable {
    /// Which satellite.
    public var id: SatelliteID

    /// NMEA 4.11's signal id within the constellation, 1 to 15; 0 where the receiver does not say.
    public var signal: UInt8

    @usableFromInline package var cn0Millionths: Millionths
    /// Elevation and azimuth, in one word: what has just been written in parts is slow to copy whole.
    @usableFromInline var direction: UInt64

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
        cn0Millionths = cn0
        direction = Self.direction(elevation, azimuth)
    }

    @usableFromInline package var elevationMillionths: Millionths {
        @inlinable @inline(__always)
        get { Millionths(rawValue: Int32(truncatingIfNeeded: direction)) }
        @inlinable @inline(__always)
        set { direction = Self.direction(newValue, azimuthMillionths) }
    }

    @usableFromInline package var azimuthMillionths: Millionths {
        @inlinable @inline(__always)
        get { Millionths(rawValue: Int32(truncatingIfNeeded: direction >> 32)) }
        @inlinable @inline(__always)
        set { direction = Self.direction(elevationMillionths, newValue) }
    }

    @inlinable
    @inline(__always)
    static func direction(_ elevation: Millionths, _ azimuth: Millionths) -> UInt64 {
        UInt64(UInt32(bitPattern: elevation.rawValue))
            | UInt64(UInt32(bitPattern: azimuth.rawValue)) << 32
    }

    /// Takes the numbers of the same signal in a newer list.
    @inline(__always)
    mutating func renew(_ newer: SatelliteSignal, from talker: Contributor) {
        direction = newer.direction
        cn0Millionths = newer.cn0Millionths
        source = talker
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
