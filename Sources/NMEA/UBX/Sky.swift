// SPDX-License-Identifier: MIT
import GNSS

/// The lists of satellites and of their signals, which UBX reports separately: only the first has
/// elevations, only the second has signals.
struct Sky: Equatable, Sendable {
    private static let capacity = 256
    /// The longest time, in milliseconds, for which elevations are used with later signals.
    private static let longestAge: Int64 = 60_000

    /// The satellites listed last, each as one signal without a number.
    private(set) var satellites: [SatelliteSignal] = []
    /// The signals listed last; satellites without one follow.
    private(set) var signals: [SatelliteSignal] = []
    /// The satellites used, of the current list.
    private(set) var used = SatelliteIDSet()
    /// The most precise source of corrections of the current list.
    private(set) var correctionSource: CorrectionSource?
    /// The time of week of the current list.
    private(set) var timeOfWeek: UInt32 = 0
    private var satelliteTime: UInt32 = 0
    /// The index of the satellite whose signal was listed last: most lists have the same order.
    private var lastIndex = 0
    /// The satellites of which a signal has been listed.
    private var listed = SatelliteIDSet()
    /// Whether a list of signals followed the last list of satellites.
    private var isFollowed = false
    /// Whether a list of satellites waits for that of their signals.
    private(set) var isHeld = false

    init() {
        satellites.reserveCapacity(Self.capacity)
        signals.reserveCapacity(Self.capacity)
    }

    private mutating func begin(at timeOfWeek: UInt32) {
        self.timeOfWeek = timeOfWeek
        used = SatelliteIDSet()
        correctionSource = nil
    }

    mutating func beginSatellites(at timeOfWeek: UInt32) {
        begin(at: timeOfWeek)
        satelliteTime = timeOfWeek
        satellites.removeAll(keepingCapacity: true)
    }

    mutating func add(_ satellite: SatelliteSignal, isUsed: Bool) {
        guard satellites.count < Self.capacity else { return }
        satellites.append(satellite)
        if isUsed { used.insert(satellite.id) }
    }

    /// Ends the list; returns whether it is a view of its own. If not, signals are expected.
    mutating func endSatellites() -> Bool {
        let isExpected = isFollowed
        isFollowed = false
        isHeld = isExpected
        return !isExpected
    }

    mutating func beginSignals(at timeOfWeek: UInt32) {
        begin(at: timeOfWeek)
        signals.removeAll(keepingCapacity: true)
        let age = Int64(timeOfWeek) - Int64(satelliteTime)
        if !(0...Self.longestAge ~= age) { satellites.removeAll(keepingCapacity: true) }
        isFollowed = age == 0
        isHeld = false
        lastIndex = 0
        listed = SatelliteIDSet()
    }

    mutating func add(_ id: SatelliteID, signal: UInt8, cn0: Double?, isUsed: Bool) {
        guard signals.count < Self.capacity else { return }
        let place = index(of: id).map { satellites[$0] }
        signals.append(
            SatelliteSignal(
                id: id, signal: signal, elevation: place?.elevation, azimuth: place?.azimuth,
                cn0: cn0))
        listed.insert(id)
        if isUsed { used.insert(id) }
    }

    private mutating func index(of id: SatelliteID) -> Int? {
        for index in lastIndex..<min(lastIndex + 2, satellites.count)
        where satellites[index].id == id {
            lastIndex = index
            return index
        }
        guard let index = satellites.firstIndex(where: { $0.id == id }) else { return nil }
        lastIndex = index
        return index
    }

    /// Ends the list: satellites of which no signal is listed are in view, too.
    mutating func endSignals() {
        for satellite in satellites where signals.count < Self.capacity {
            if !listed.contains(satellite.id) { signals.append(satellite) }
        }
    }

    /// Records the corrections of a satellite that is used.
    mutating func note(_ source: CorrectionSource?) {
        guard let source else { return }
        if source.rank > correctionSource?.rank ?? -1 { correctionSource = source }
    }

    /// Ends the wait for signals: the epoch is over.
    mutating func release() { isHeld = false }
}

extension CorrectionSource {
    /// The order by precision.
    fileprivate var rank: Int {
        switch self {
        case .sbas: 0
        case .beiDou: 1
        case .slas: 2
        case .has: 3
        case .clas: 4
        case .spartn: 5
        case .rtcm: 6
        }
    }
}
