// SPDX-License-Identifier: MIT

/// One satellite in view, all its signals taken together.
public struct SatelliteSummary: Hashable, Sendable {
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

    @usableFromInline
    init(_ signal: SatelliteSignal, isUsed: Bool) {
        id = signal.id
        elevation = signal.elevation
        azimuth = signal.azimuth
        cn0 = signal.cn0
        self.isUsed = isUsed
    }

    @usableFromInline
    mutating func add(_ signal: SatelliteSignal) {
        elevation = elevation ?? signal.elevation
        azimuth = azimuth ?? signal.azimuth
        if let strength = signal.cn0 { cn0 = max(cn0 ?? strength, strength) }
    }
}
