// SPDX-License-Identifier: MIT

/// The satellites in view, from the most recent complete lists of every constellation and signal.
public struct SatelliteView: Hashable, Sendable {
    /// The signals of all satellites, sorted by satellite, then by signal.
    public var signals: [SatelliteSignal]

    /// The satellites used by the fix of this epoch; empty without a fix.
    public var used: SatelliteIDSet

    /// The dilutions of precision of this epoch.
    public var dilution: DilutionOfPrecision

    /// The time of the epoch that completed the most recent list; `nil` while the date is unknown.
    public var time: UTCTime?

    /// Creates a view.
    public init(
        signals: [SatelliteSignal] = [], used: SatelliteIDSet = SatelliteIDSet(),
        dilution: DilutionOfPrecision = DilutionOfPrecision(), time: UTCTime? = nil
    ) {
        self.signals = signals
        self.used = used
        self.dilution = dilution
        self.time = time
    }

    /// The satellites, sorted by constellation and number.
    public var satellites: [Satellite] {
        var satellites: [Satellite] = []
        var index = 0
        while let satellite = nextSatellite(after: &index) { satellites.append(satellite) }
        return satellites
    }

    /// The number of satellites in view and the number of satellites used.
    package var counts: (inView: Int, used: Int) {
        var counts = (inView: 0, used: 0)
        let signals = signals.span
        for index in signals.indices {
            let id = signals[index].id
            if index > 0, signals[index &- 1].id == id { continue }
            counts.inView &+= 1
            if used.contains(id) { counts.used &+= 1 }
        }
        return counts
    }

    /// Returns the satellite whose signals begin at `index`, and advances `index` past them.
    /// Returns `nil` at the end.
    ///
    /// Iterates over the satellites without allocation:
    ///
    ///     var index = 0
    ///     while let satellite = view.nextSatellite(after: &index) { … }
    public func nextSatellite(after index: inout Int) -> Satellite? {
        let start = index
        guard let signal = nextCombinedSignal(after: &index) else { return nil }
        return Satellite(
            id: signal.id, elevation: signal.elevation, azimuth: signal.azimuth, cn0: signal.cn0,
            isUsed: used.contains(signal.id), signals: signals[start..<index])
    }

    /// Combines the signals of the satellite at `index` into one, with the first elevation and
    /// azimuth and the strongest C/N0. Advances `index` past them. Returns `nil` at the end.
    @inlinable
    @inline(__always)
    public func nextCombinedSignal(after index: inout Int) -> SatelliteSignal? {
        Self.nextCombinedSignal(of: signals.span, after: &index)
    }

    /// Combines the signals of the satellite at `index`, like the method
    /// `nextCombinedSignal(after:)`. It is for loops that create the span of the signals only once.
    @inlinable
    @inline(__always)
    package static func nextCombinedSignal(
        of signals: Span<SatelliteSignal>, after index: inout Int
    ) -> SatelliteSignal? {
        guard index < signals.count else { return nil }
        var combined = signals[index]
        index += 1
        while index < signals.count, signals[index].id == combined.id {
            let signal = signals[index]
            combined.elevation = combined.elevation ?? signal.elevation
            combined.azimuth = combined.azimuth ?? signal.azimuth
            if let cn0 = signal.cn0 { combined.cn0 = max(combined.cn0 ?? cn0, cn0) }
            index += 1
        }
        return combined
    }
}

/// A satellite in view, with all its signals.
public struct Satellite: Hashable, Sendable {
    /// The constellation and number of the satellite.
    public var id: SatelliteID

    /// The elevation in degrees above the horizon, -90 to 90.
    public var elevation: Double?

    /// The azimuth in degrees from true north, 0 up to 360.
    public var azimuth: Double?

    /// The carrier-to-noise density of the strongest signal in dB-Hz; `nil` if no signal is
    /// tracked.
    public var cn0: Double?

    /// Whether the fix uses the satellite.
    public var isUsed: Bool

    /// The satellite's signals; at least one.
    public var signals: ArraySlice<SatelliteSignal>
}
