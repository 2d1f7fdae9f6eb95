// SPDX-License-Identifier: MIT

/// The satellites in view, from the last complete lists of every constellation and signal.
public struct SatelliteView: Hashable, Sendable {
    /// Every signal, ordered by satellite.
    public var signals: [SatelliteSignal]

    /// The satellites that the last fix used.
    public var used: SatelliteIDSet

    /// The epoch in which the last list was completed; `nil` while the date is unknown.
    public var time: UTCTime?

    /// Makes a view.
    public init(
        signals: [SatelliteSignal] = [], used: SatelliteIDSet = SatelliteIDSet(),
        time: UTCTime? = nil
    ) {
        self.signals = signals
        self.used = used
        self.time = time
    }

    /// The satellites, each once, ordered by constellation and number.
    public var satellites: [Satellite] {
        var satellites: [Satellite] = []
        for signal in signals {
            if let last = satellites.indices.last, satellites[last].id == signal.id {
                satellites[last].add(signal)
            } else {
                satellites.append(
                    Satellite(
                        id: signal.id, elevation: signal.elevation, azimuth: signal.azimuth,
                        cn0: signal.cn0, isUsed: used.contains(signal.id), signals: [signal]))
            }
        }
        return satellites
    }
}

extension Satellite {
    fileprivate mutating func add(_ signal: SatelliteSignal) {
        elevation = elevation ?? signal.elevation
        azimuth = azimuth ?? signal.azimuth
        if let strength = signal.cn0 { cn0 = max(cn0 ?? strength, strength) }
        signals.append(signal)
    }
}
