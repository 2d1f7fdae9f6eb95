// SPDX-License-Identifier: MIT
import GNSS

/// Simulates a receiver's antenna and channels: which satellites are tracked and used, and their
/// C/N0.
struct FrontEnd: Sendable {
    /// A satellite above the horizon, and its signal.
    private struct Channel {
        var sighting: Sighting
        /// The C/N0 of the main signal in dB-Hz; `nil` if the satellite is not tracked.
        var cn0: Double?
        var isUsable: Bool
    }

    /// The C/N0 in dB-Hz below which a signal is lost.
    private static let trackingThreshold = 20.0
    /// The C/N0 in dB-Hz below which a signal is too weak to be used.
    private static let usableThreshold = 25.0

    private var sky: Sky
    /// The signal IDs of each constellation, indexed by the constellation's raw value.
    private var signals: [[UInt8]] = []
    /// The times from the start to the first 2D and 3D fixes.
    var acquisition: Acquisition
    private let seed: UInt64
    private var fading: Fading
    private var second: Double?
    private var sightings: [Sighting] = []
    private var channels: [Channel] = []
    /// The indices in `channels` of the satellites that a 2D solution uses.
    private var flat: [Int] = []

    /// All satellites above the horizon in the last epoch, whether or not they are tracked.
    private(set) var truth: [Truth.Satellite] = []

    init(_ configuration: Observer.Configuration) {
        sky = Sky([])
        acquisition = configuration.acquisition
        seed = configuration.seed
        fading = Fading(seed: configuration.seed)
        receive(configuration.signals)
    }

    /// Changes the signals that the receiver can track (NMEA 4.11 signal IDs, the main one first).
    mutating func receive(_ signals: [Constellation: [UInt8]]) {
        sky = Sky(signals.keys)
        self.signals = Constellation.allCases.map { signals[$0] ?? [] }
        second = nil
    }

    /// Computes the satellites and signals of an epoch. `elapsed` is the time since the first
    /// epoch, and `running` the time since the last start, in seconds. Satellite positions are
    /// computed once a second.
    mutating func look(
        from state: TrueState, at nanoseconds: Int64, elapsed: Double, running: Double,
        _ surroundings: Surroundings, jamming: Double, _ falseSignals: FalseSignals?
    ) {
        let whole = elapsed.rounded(.down)
        if second != whole {
            let days = Earth.daysSinceJ2000(
                unixNanoseconds: nanoseconds &- Int64(nanosecondsIn: elapsed - whole))
            sightings = sky.sightings(
                from: state.coordinate, height: state.altitude + Observer.geoidSeparation,
                daysSinceJ2000: days)
            fading.advance(
                by: second.map { whole - $0 } ?? 0, sightings,
                hasMultipath: surroundings.hasMultipath)
            truth = sightings.map {
                Truth.Satellite(id: $0.id, elevation: $0.elevation, azimuth: $0.azimuth)
            }
            second = whole
        }
        channels.removeAll(keepingCapacity: true)
        for sighting in sightings {
            let isHidden = surroundings.hides(
                elevation: sighting.elevation, azimuth: sighting.azimuth)
            let own = fading.cn0(of: sighting, isHidden: isHidden)
            let received = own.map {
                (falseSignals?.cn0(of: sighting.id, $0, seed: seed, at: whole) ?? $0)
                    - max(0, jamming)
            }
            let cn0 = received.flatMap {
                $0 >= Self.trackingThreshold && isAcquired(sighting.id, after: running) ? $0 : nil
            }
            // A satellite that is hidden but received by reflection is tracked, but not used.
            channels.append(
                Channel(
                    sighting: sighting, cn0: cn0,
                    isUsable: (cn0 ?? 0) >= Self.usableThreshold && !isHidden
                        && sighting.elevation >= surroundings.mask
                        && sighting.id.constellation != .sbas))
        }
        chooseFlat()
    }

    /// Returns whether a satellite has been acquired, `seconds` after the receiver's start. Until
    /// the first 3D fix, satellites are acquired one after the other at random times.
    private func isAcquired(_ id: SatelliteID, after seconds: Double) -> Bool {
        guard seconds < acquisition.threeD else { return true }
        var random = SeededGenerator(seed: seed &+ id.number &* 0x1F3D_5B79)
        return seconds >= acquisition.threeD * random.unit()
    }

    /// Returns the satellites that a 2D or 3D solution uses. A 2D solution uses at most four
    /// satellites, all of one constellation.
    func used(for mode: FixMode) -> [Sighting] {
        channels.indices.filter { isUsed($0, for: mode) }.map { channels[$0].sighting }
    }

    private func isUsed(_ index: Int, for mode: FixMode) -> Bool {
        switch mode {
        case .noFix: false
        case .twoD: flat.contains(index)
        case .threeD: channels[index].isUsable
        }
    }

    /// Selects up to four satellites of the constellation with the most usable satellites, for a
    /// solution in two dimensions.
    private mutating func chooseFlat() {
        var best = 0..<0
        var start = 0
        let usable = channels.indices.filter { channels[$0].isUsable }
        while start < usable.count {
            let constellation = channels[usable[start]].sighting.id.constellation
            let end =
                usable[start...].firstIndex {
                    channels[$0].sighting.id.constellation != constellation
                } ?? usable.count
            if end - start > best.count { best = start..<end }
            start = end
        }
        flat = Array(usable[best].prefix(4))
    }

    /// Returns the satellites that the receiver lists: the tracked ones and, once a 2D fix is
    /// possible, all satellites above the horizon. `running` is the time since the last start in
    /// seconds.
    func listed(usedFor mode: FixMode?, running: Double) -> [ObservedSatellite] {
        var satellites: [ObservedSatellite] = []
        satellites.reserveCapacity(channels.count)
        let knowsOrbits = running >= acquisition.twoD
        for (index, channel) in channels.enumerated() where knowsOrbits || channel.cn0 != nil {
            let sighting = channel.sighting
            var tracked: [ObservedSignal] = []
            if let cn0 = channel.cn0 {
                let ids = signals[Int(sighting.id.constellation.rawValue)]
                tracked.reserveCapacity(ids.count)
                for (signalIndex, id) in ids.enumerated() {
                    let weaker = cn0 - 2 * Double(signalIndex)
                    if weaker >= Self.trackingThreshold || signalIndex == 0 {
                        tracked.append(ObservedSignal(signal: id, cn0: weaker))
                    }
                }
            }
            satellites.append(
                ObservedSatellite(
                    id: sighting.id, elevation: sighting.elevation, azimuth: sighting.azimuth,
                    signals: tracked, isUsed: mode.map { isUsed(index, for: $0) } ?? false))
        }
        return satellites
    }
}
