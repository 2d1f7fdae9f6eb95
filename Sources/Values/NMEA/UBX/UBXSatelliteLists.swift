// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// Combines the list of satellites (NAV-SAT) with the list of their signals (NAV-SIG). Only NAV-SAT
/// contains elevations and azimuths.
struct UBXSatelliteLists: Equatable, Sendable {
    /// The maximum age of a list of satellites whose elevations are combined with newer signals, in
    /// milliseconds.
    private static let maximumAge: Int64 = 60_000

    /// The most recent list of satellites. Each satellite is stored as a signal with an unknown
    /// signal ID.
    private(set) var satellites: [SatelliteSignal] = []
    /// The most recent list of signals, followed by the satellites without a listed signal.
    private(set) var signals: [SatelliteSignal] = []
    /// The satellites used, according to the current list of satellites or signals.
    private(set) var used = SatelliteIDSet()
    /// The most precise correction source in the current list.
    private(set) var correctionSource: CorrectionSource?
    /// The GPS time of week of the current list, in milliseconds.
    private(set) var timeOfWeek: UInt32 = 0
    private var satelliteTime: UInt32 = 0
    /// The time of week of the last list of signals, in milliseconds; `nil` before the first one.
    private var signalTime: UInt32?
    /// The number of signals in `signals`. The other elements are satellites without a signal.
    private var signalCount = 0
    /// The index of the satellite whose signal was listed last. The next search begins there,
    /// because most lists have the same order.
    private var lastIndex = 0
    /// The satellites that have a signal in the current list.
    private var listed = SatelliteIDSet()
    /// Whether a list of signals was received for the same time as the last list of satellites. If
    /// so, one is expected after the next list, too.
    private var isFollowed = false
    /// Whether a list of satellites waits for the list of their signals.
    private(set) var isHeld = false
    /// The list that replaces the satellite view when the view of the previous epoch has been
    /// delivered.
    var pending: PendingList?

    /// A complete list, and the address of the message that it belongs to.
    enum PendingList: Equatable { case satellites(Address), signals(Address) }

    init() {
        satellites.reserveCapacity(SatelliteList.capacity)
        signals.reserveCapacity(SatelliteList.capacity)
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

    /// Adds a satellite. `azimuth` has no meaning without an elevation, and `cn0` is 0 if the
    /// satellite is not tracked.
    mutating func add(
        _ id: SatelliteID, elevation: Double?, azimuth: Int16, cn0: UInt8, isUsed: Bool,
        _ state: SignalState
    ) {
        guard satellites.count < SatelliteList.capacity else { return }
        let elevation = elevation.flatMap { -90...90 ~= $0 ? $0 : nil }
        satellites.append(
            SatelliteSignal(
                id: id, elevation: elevation,
                azimuth: elevation != nil ? Double(azimuth).wrappedDegrees : nil,
                cn0: cn0 == 0 ? nil : Double(cn0), state: state))
        if isUsed { used.insert(id) }
    }

    /// Whether a list of signals for the same time was received before the list of satellites.
    var hasSignals: Bool { signalTime == satelliteTime && !isFollowed }

    /// Ends the list of satellites. Returns `true` if it can replace the satellite view: with the
    /// signals that were received before it, or without signals. Returns `false` if a list of
    /// signals is expected.
    mutating func endSatellites() -> Bool {
        if hasSignals {
            completeSignals()
            return true
        }
        let isExpected = isFollowed
        isFollowed = false
        isHeld = isExpected
        return !isExpected
    }

    mutating func beginSignals(at timeOfWeek: UInt32) {
        begin(at: timeOfWeek)
        signals.removeAll(keepingCapacity: true)
        signalTime = timeOfWeek
        let age = WeekClock.elapsed(from: satelliteTime, to: timeOfWeek)
        if !(0...Self.maximumAge ~= age) { satellites.removeAll(keepingCapacity: true) }
        isFollowed = age == 0
        isHeld = false
        lastIndex = 0
        listed = SatelliteIDSet()
    }

    mutating func add(
        _ id: SatelliteID, signal: UInt8, cn0: Double?, isUsed: Bool, _ state: SignalState
    ) {
        guard signals.count < SatelliteList.capacity else { return }
        let satellite = index(of: id).map { satellites[$0] }
        signals.append(
            SatelliteSignal(
                id: id, signal: signal, elevation: satellite?.elevation,
                azimuth: satellite?.azimuth, cn0: cn0, state: state))
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

    /// Ends the list of signals, and adds the satellites without a listed signal, which are in view
    /// too. If the list of satellites is older than the list of signals, the C/N0 and the state of
    /// these satellites are removed, because they have lost their signals since.
    mutating func endSignals() {
        signalCount = signals.count
        addUnlisted(withStrengths: isFollowed)
    }

    private mutating func addUnlisted(withStrengths isCurrent: Bool) {
        for var satellite in satellites where signals.count < SatelliteList.capacity {
            guard !listed.contains(satellite.id) else { continue }
            if !isCurrent { (satellite.cn0, satellite.state) = (nil, SignalState()) }
            signals.append(satellite)
        }
    }

    /// Sets elevation and azimuth of the signals, and adds the satellites without a signal, from a
    /// list of the same time that was received after the signals.
    private mutating func completeSignals() {
        signals.removeLast(max(0, signals.count - signalCount))
        lastIndex = 0
        for position in signals.indices {
            let satellite = index(of: signals[position].id).map { satellites[$0] }
            signals[position].elevation = satellite?.elevation
            signals[position].azimuth = satellite?.azimuth
        }
        addUnlisted(withStrengths: true)
    }

    /// Records the correction source of a signal that is used. The most precise source is kept.
    mutating func note(_ source: CorrectionSource?) {
        guard let source else { return }
        if source.rank > correctionSource?.rank ?? -1 { correctionSource = source }
    }

    /// Stops waiting for a list of signals. Call it when the epoch is over.
    mutating func release() { isHeld = false }
}

extension CorrectionSource {
    /// The rank of the source by precision; a more precise source has a higher rank.
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

// The elements of a list are read one by one, because an array would need an allocation.

extension NavSAT: EpochMessage {
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        var reader = UBXReader(leavingOutListOf: frame.payload)
        var message = Self()
        reader.read(&message)
        guard reader.canReadList(of: 12) else { return false }
        assembler.beginSatellites(at: message.timeOfWeekMilliseconds)
        for _ in 0..<reader.listCount {
            var satellite = Satellite()
            reader.read(&satellite)
            guard let id = satellite.satellite else { continue }
            assembler.sky.add(
                id, elevation: satellite.elevation, azimuth: satellite.azimuth,
                cn0: satellite.cn0, isUsed: satellite.flags.isUsed, satellite.state)
            if satellite.flags.isUsed { assembler.sky.note(satellite.flags.correctionSource) }
        }
        assembler.endSatellites(of: id)
        return true
    }
}

extension NavSAT.Satellite {
    fileprivate var state: SignalState {
        // Each list has dozens of satellites, so the numbers are not converted.
        SignalState(
            residualTenths: residualTenths, quality: flags.quality.rawValue,
            health: flags.health?.rawValue)
    }
}

extension NavSAT.Satellite.Flags {
    fileprivate var correctionSource: CorrectionSource? {
        if usesRTCM { return .rtcm }
        if usesSPARTN { return .spartn }
        if usesCLAS { return .clas }
        if usesHAS { return .has }
        if usesSLAS { return .slas }
        return usesSBAS ? .sbas : nil
    }
}

extension NavSVINFO: EpochMessage {
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        var reader = UBXReader(leavingOutListOf: frame.payload)
        var message = Self()
        reader.read(&message)
        guard reader.canReadList(of: 12) else { return false }
        assembler.beginSatellites(at: message.timeOfWeekMilliseconds)
        for _ in 0..<reader.listCount {
            var satellite = Satellite()
            reader.read(&satellite)
            guard let id = satellite.satellite else { continue }
            assembler.sky.add(
                id, elevation: satellite.elevation, azimuth: satellite.azimuth,
                cn0: satellite.cn0, isUsed: satellite.flags.isUsed, satellite.state)
        }
        assembler.endSatellites(of: id)
        return true
    }
}

extension NavSVINFO.Satellite {
    fileprivate var state: SignalState {
        var state = SignalState()
        state.residual = residual
        // The upper four bits are reserved.
        state.quality = Int(quality.rawValue & 0xF)
        state.isHealthy = !flags.isUnhealthy
        return state
    }
}

extension NavSIG: EpochMessage {
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        var reader = UBXReader(leavingOutListOf: frame.payload)
        var message = Self()
        reader.read(&message)
        guard reader.canReadList(of: 16) else { return false }
        assembler.sky.beginSignals(at: message.timeOfWeekMilliseconds)
        for _ in 0..<reader.listCount {
            var signal = Signal()
            reader.read(&signal)
            guard let id = signal.satellite else { continue }
            let number = id.constellation.nmeaSignal(ofUBX: signal.signalID) ?? 0
            assembler.sky.add(
                id, signal: number, cn0: signal.cn0 == 0 ? nil : Double(signal.cn0),
                isUsed: signal.flags.usesRange, signal.state)
            if signal.flags.usesRange {
                assembler.sky.note(CorrectionSource(ubx: signal.correctionSource))
            }
        }
        assembler.endSignals(of: id)
        return true
    }
}

extension NavSIG.Signal {
    fileprivate var state: SignalState {
        var state = SignalState(
            residualTenths: residualTenths, quality: quality.rawValue,
            health: flags.health?.rawValue)
        state.number = Int(signalID)
        if gnssID == Constellation.glonass.gnssID { state.frequency = Int(frequencyID) }
        return state
    }
}

extension CorrectionSource {
    /// Creates the correction source for its number in NAV-SIG. Returns `nil` for 0 (none) and for
    /// an unknown number.
    fileprivate init?(ubx number: UInt8) {
        switch number {
        case 1: self = .sbas
        case 2: self = .beiDou
        case 3...5: self = .rtcm
        case 6: self = .slas
        case 7: self = .spartn
        case 8, 9: self = .clas
        case 12: self = .has
        default: return nil
        }
    }
}
