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
    @inlinable
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
        var index = signals.startIndex
        while index < signals.endIndex {
            let start = index
            guard let summary = nextSatellite(after: &index) else { break }
            satellites.append(
                Satellite(
                    id: summary.id, elevation: summary.elevation, azimuth: summary.azimuth,
                    cn0: summary.cn0, isUsed: summary.isUsed, signals: Array(signals[start..<index])
                ))
        }
        return satellites
    }

    /// How many satellites are in view, and how many of them are used.
    package var counts: (inView: Int, used: Int) {
        var inView = 0
        var used = 0
        let signals = signals.span
        // As `contains` does, but taken out of the loop.
        let words = self.used.words.span
        for index in signals.indices {
            let id = signals[index].id
            guard index == 0 || signals[index &- 1].id != id else { continue }
            inView &+= 1
            let isUsed = words[Int(id.constellation.rawValue)] & SatelliteIDSet.bit(id) != 0
            used &+= isUsed ? 1 : 0
        }
        return (inView, used)
    }

    /// The satellite whose signals begin at `index`, which moves behind them; `nil` at the end.
    ///
    /// This is how to walk through the satellites without allocating anything:
    ///
    ///     var index = 0
    ///     while let satellite = view.nextSatellite(after: &index) { … }
    @inlinable
    @inline(__always)
    public func nextSatellite(after index: inout Int) -> SatelliteSummary? {
        guard index < signals.count else { return nil }
        let id = signals[index].id
        var summary = SatelliteSummary(signals[index], isUsed: used.contains(id))
        index += 1
        while index < signals.count, signals[index].id == id {
            summary.add(signals[index])
            index += 1
        }
        return summary
    }
}
