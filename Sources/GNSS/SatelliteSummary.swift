// SPDX-License-Identifier: MIT

/// One satellite in view, all its signals taken together.
public struct SatelliteSummary: Hashable, Sendable {
    /// Which satellite.
    public var id: SatelliteID

    @usableFromInline package var elevationMillionths: Millionths
    @usableFromInline package var azimuthMillionths: Millionths
    @usableFromInline package var cn0Millionths: Millionths

    /// Whether the fix uses it.
    public var isUsed: Bool

    @inlinable
    init(_ signal: SatelliteSignal, isUsed: Bool) {
        id = signal.id
        elevationMillionths = signal.elevationMillionths
        azimuthMillionths = signal.azimuthMillionths
        cn0Millionths = signal.cn0Millionths
        self.isUsed = isUsed
    }

    @inlinable
    mutating func add(_ signal: SatelliteSignal) {
        if !elevationMillionths.isKnown { elevationMillionths = signal.elevationMillionths }
        if !azimuthMillionths.isKnown { azimuthMillionths = signal.azimuthMillionths }
        cn0Millionths = max(cn0Millionths, signal.cn0Millionths)
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

    /// The carrier-to-noise density of its strongest signal in dB-Hz; `nil` where none is tracked.
    @inlinable public var cn0: Double? {
        get { cn0Millionths.value }
        set { cn0Millionths = Millionths(newValue) }
    }
}
