// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// Interprets the configuration messages (class 06) of a simulated u-blox chip.
struct UBXConfigurator: Sendable {
    /// The chip's reaction to a message.
    enum Result {
        /// These frames are sent, if any, and then `ACK-ACK`.
        case accepted([[UInt8]] = [])
        /// `ACK-NAK` is sent.
        case refused
        /// The receiver restarts without an answer.
        case restart(CfgRST)
    }

    /// The changes of an unfinished transaction, which are not in effect yet.
    private struct Transaction {
        var layers: ConfigurationLayers
        var items: [ConfigurationItem] = []
    }

    let chip: UBXChip
    /// The chip's port to which the program is connected.
    let port: UBXPort
    private(set) var store: ConfigurationStore
    private var transaction: Transaction?

    init(_ chip: UBXChip, port: UBXPort, store: ConfigurationStore) {
        self.chip = chip
        self.port = port
        self.store = store
    }

    /// Cancels a transaction and loads the stored values, as after a power failure or a reset. If
    /// `keepsBattery` is `false`, first clears the battery-backed memory.
    mutating func restart(keepsBattery: Bool) {
        transaction = nil
        store.restart(keepsBattery: keepsBattery)
    }

    /// Carries out a message of class 06.
    mutating func receive(_ id: UBXMessageID, _ payload: [UInt8]) -> Result {
        switch id {
        case CfgRST.id:
            return CfgRST(payload: payload.span).map(Result.restart) ?? .refused
        case CfgVALSET.id where chip.hasDatabase: return valset(payload)
        case CfgVALDEL.id where chip.hasDatabase: return valdel(payload)
        case CfgVALGET.id where chip.hasDatabase: return valget(payload)
        case CfgCFG.id: return memory(payload)
        default: return legacy(id, payload)
        }
    }

    // MARK: Messages of chips up to M8

    private mutating func legacy(_ id: UBXMessageID, _ payload: [UInt8]) -> Result {
        // Any other message cancels a transaction.
        transaction = nil
        guard chip.knows(id), let view = configurationViews.first(where: { $0.id == id }),
            chip.dialect != .database || id == CfgMSG.id
        else { return .refused }
        if view.isPoll(payload.count) {
            guard let answer = view.answer(payload, self) else { return .refused }
            return .accepted([UBXFrame.bytes(id, payload: answer)])
        }
        guard let message = view.init(payload: payload.span), let items = message.items(self),
            isAllowed(items)
        else { return .refused }
        store.set(items, in: .ram)
        return .accepted()
    }

    private mutating func memory(_ payload: [UInt8]) -> Result {
        guard let message = CfgCFG(payload: payload.span) else { return .refused }
        transaction = nil
        // Without the optional device mask, or if it is 0, all memories are used.
        let devices = message.devices.first.flatMap { $0 == 0 ? nil : $0 } ?? 0x17
        var layers = ConfigurationLayers(rawValue: 0)
        if devices & 1 != 0 { layers = layers.union(.battery) }
        if devices & 0x16 != 0, chip.hasFlash { layers = layers.union(.flash) }
        store.delete(store.defaults.keys.filter(message.clear.contains), from: layers)
        store.save(message.save.contains, in: layers)
        store.load(message.load.contains)
        return .accepted()
    }

    // MARK: The database

    private mutating func valset(_ payload: [UInt8]) -> Result {
        guard let message = CfgVALSET(payload: payload.span), let items = message.items,
            message.layers.rawValue != 0
        else { return .refused }
        return change(
            items, in: message.layers, message.version, message.transaction
        ) { store, items, layers in store.set(items, in: layers) }
    }

    private mutating func valdel(_ payload: [UInt8]) -> Result {
        guard let message = CfgVALDEL(payload: payload.span), let keys = message.keys,
            message.layers.rawValue & 1 == 0, message.layers.rawValue != 0
        else { return .refused }
        let items = keys.map { ConfigurationItem($0, 0) }
        return change(
            items, in: message.layers, message.version, message.transaction
        ) { store, items, layers in store.delete(items.map(\.key), from: layers) }
    }

    private mutating func change(
        _ items: [ConfigurationItem], in layers: ConfigurationLayers, _ version: UInt8,
        _ step: ConfigurationTransaction,
        _ apply: (inout ConfigurationStore, [ConfigurationItem], ConfigurationLayers) -> Void
    ) -> Result {
        let step = version == 0 ? .none : step
        let earlier = transaction
        transaction = nil
        guard version <= 1, store.has(layers), items.count <= CfgVALSET.maximumItems,
            items.allSatisfy({ store.knows($0.key) })
        else { return .refused }
        var all = items
        switch step {
        case .none: break
        case .start: all = items
        case .goOn, .apply:
            guard let earlier, earlier.layers == layers else { return .refused }
            all = earlier.items + items
        default: return .refused
        }
        guard step == .none || step == .apply else {
            transaction = Transaction(layers: layers, items: all)
            return .accepted()
        }
        guard !layers.contains(.ram) || isAllowed(all) else { return .refused }
        apply(&store, all, layers)
        return .accepted()
    }

    private func valget(_ payload: [UInt8]) -> Result {
        guard let request = CfgVALGET(payload: payload.span), request.version == 0,
            let keys = request.keys, keys.count <= CfgVALGET.maximumItems,
            let values = store.values(of: request.layer)
        else { return .refused }
        var items: [ConfigurationItem] = []
        for key in keys {
            if key.isWildcard {
                items += store.defaults.keys.filter(key.includes).sorted(by: { $0.order < $1.order }
                )
                .compactMap { key in values[key].map { ConfigurationItem(key, $0) } }
            } else if let value = values[key] {
                items.append(ConfigurationItem(key, value))
            } else {
                return .refused
            }
        }
        var answer = CfgVALGET()
        answer.version = 1
        answer.layer = request.layer
        answer.position = request.position
        answer.data = items.dropFirst(Int(request.position)).prefix(CfgVALGET.maximumItems)
            .flatMap(\.bytes)
        return .accepted([answer.frame])
    }
}

extension ConfigurationKey {
    /// The number by which keys are sorted in the answer to `CFG-VALGET`: by group, then by item.
    var order: UInt32 { rawValue & 0x00FF_FFFF }
}

extension CfgCFG.Sections {
    /// Returns whether a configuration key belongs to one of these sections of `CFG-CFG`.
    func contains(_ key: ConfigurationKey) -> Bool {
        let section: UInt32
        switch key.group {
        case 0x51...0x53, 0x64, 0x65, 0x71...0x7A: section = Self.ports.rawValue
        case 0x91: section = Self.messages.rawValue
        case 0x92: section = 4
        // Constellations, SBAS and the time pulse belong to the receiver section.
        case 0x05, 0x31, 0x36: section = 0x10
        default: section = Self.navigation.rawValue
        }
        return rawValue & section != 0
    }
}

extension UBXConfigurator {
    /// Returns whether all new values are valid, and the chip supports the constellations and
    /// signals that would then be enabled.
    private func isAllowed(_ items: [ConfigurationItem]) -> Bool {
        guard items.allSatisfy(isValid) else { return false }
        guard items.contains(where: { $0.key.group == ConfigurationKey.signals }) else {
            return true
        }
        var result = store
        result.set(items, in: .ram)
        return hasPossibleConstellations(result)
    }

    private func isValid(_ item: ConfigurationItem) -> Bool {
        if item.key.isSwitch { return item.value <= 1 }
        switch item.key {
        case .measurementPeriod: return item.value >= chip.minimumPeriod
        case .navigationRatio: return 1...127 ~= item.value
        case .timeReference: return item.value <= 5
        case .dynamicModel:
            return DynamicModel(rawValue: UInt8(truncatingIfNeeded: item.value)) != nil
        case .fixMode: return 1...3 ~= item.value
        case .minimumElevation: return -90...90 ~= item.signedValue
        case .nmeaVersion: return Personality.Version(databaseValue: item.value) != nil
        case ConfigurationKey.baudRate(of: .uart1), ConfigurationKey.baudRate(of: .uart2):
            return 4800...921_600 ~= item.value
        default: return true
        }
    }

    private func hasPossibleConstellations(_ store: ConfigurationStore) -> Bool {
        let isOn = { (key: ConfigurationKey) in store[key] == 1 }
        let enabled = SignalKey.constellations.filter { isOn($0.key) }
        let augmentations: [UInt8] = [1, 5]
        let major = enabled.filter { !augmentations.contains($0.gnssID) }
        guard !major.isEmpty, major.count <= chip.maximumConstellations ?? .max else {
            return false
        }
        let ids = Set(major.map(\.gnssID))
        let hasBeiDouAndGLONASS = ids.isSuperset(of: [3, 6])
        if chip.hasTwoBands, hasBeiDouAndGLONASS, !ids.isDisjoint(with: [0, 2]) {
            return false
        }
        if chip.sharesBeiDouBand, ids.contains(3), isOn(.beiDouB1I),
            isOn(.beiDouB1C) || ids.contains(6), !hasFactorySignals(store)
        {
            return false
        }
        return enabled.allSatisfy { constellation in
            let signals = SignalKey.signals.filter {
                // QZSS L1S carries corrections and is not used for positions.
                $0.gnssID == constellation.gnssID && store.knows($0.key) && $0.name != "QZSS_L1S"
            }
            // An F9P refuses several constellations with only one band. A single constellation may
            // use one band.
            return chip.needsBothBands && major.count > 1
                ? signals.allSatisfy { isOn($0.key) } : signals.contains { isOn($0.key) }
        }
    }
}

/// Returns whether all constellations and signals have their factory values. A real M10 would
/// reject the factory values of a simulated M10. They are accepted here, so that a seed gives the
/// same bytes as in earlier releases.
private func hasFactorySignals(_ store: ConfigurationStore) -> Bool {
    (SignalKey.constellations + SignalKey.signals).allSatisfy {
        store[$0.key] == store.defaults[$0.key] ?? 0
    }
}

extension ConfigurationKey {
    /// The key group of constellations and signals (`CFG-SIGNAL`).
    static let signals: UInt8 = 0x31
}

extension ReceiverSettings {
    /// Derives the settings from the configuration values in effect. Keys that are not used here
    /// are stored, but have no effect on the simulation.
    init(_ store: ConfigurationStore, _ chip: UBXChip, port: UBXPort, _ personality: Personality) {
        let measurements = Double(max(1, store[.navigationRatio]))
        let interval = Double(max(1, store[.measurementPeriod])) / 1000 * measurements
        self.init(
            personality, period: max(interval, 1 / max(0.001, personality.maximumRate)),
            baudRate: LineKeys(port).map { store.number($0.baudRate) })
        acceptsUBX = store[.input(.ubx, on: port)] == 1
        acceptsRTCM = store[.input(.rtcm3, on: port)] == 1
        version = Personality.Version(databaseValue: store[.nmeaVersion]) ?? version
        minimumElevation = Double(
            ConfigurationItem(.minimumElevation, store[.minimumElevation]).signedValue)
        setMessages(store, port)
        setConstellations(store, chip)
    }

    private mutating func setMessages(_ store: ConfigurationStore, _ port: UBXPort) {
        sentences = [:]
        func epochs(_ id: UBXMessageID) -> Int? {
            guard let keys = MessageKeys.keys(of: id) else { return nil }
            let count = Int(store[keys.key(on: port)])
            return count > 0 ? count : nil
        }
        if store[.output(.nmea, on: port)] == 1 {
            for sentence in CycleSentence.allCases {
                sentences[sentence] = sentence.ubxID.flatMap(epochs)
            }
        }
        if store[.output(.ubx, on: port)] == 1 {
            for id in UBXEpoch.messages + [RxmRTCM.id, RxmCOR.id] { messages[id] = epochs(id) }
        }
    }

    private mutating func setConstellations(_ store: ConfigurationStore, _ chip: UBXChip) {
        let enabled = SignalKey.constellations.filter { store[$0.key] == 1 }
            .compactMap(\.constellation)
        let all = constellations + chip.constellations
        constellations = all.indices.filter { index in
            enabled.contains(all[index]) && !all[..<index].contains(all[index])
        }.map { all[$0] }
        signals = [:]
        for signal in SignalKey.signals where store[signal.key] == 1 {
            guard let constellation = signal.constellation, let id = signal.nmeaID,
                constellations.contains(constellation)
            else { continue }
            signals[constellation, default: []].append(id)
        }
    }
}

extension SignalKey {
    /// The NMEA 4.11 signal ID; `nil` if the signal is not used for positions.
    fileprivate var nmeaID: UInt8? {
        switch name {
        case "GPS_L1CA", "SBAS_L1CA", "BDS_B1", "QZSS_L1CA", "GLO_L1", "GAL_E5A", "NAVIC_L5": 1
        case "GPS_L2C", "QZSS_L2C": 6
        case "GPS_L5", "QZSS_L5", "BDS_B3": 8
        case "GAL_E1": 7
        case "GAL_E5B": 2
        case "GAL_E6", "BDS_B2A": 5
        case "BDS_B1C", "GLO_L2": 3
        case "BDS_B2": 0xB
        default: nil
        }
    }
}

extension CycleSentence {
    /// The class and id that u-blox assigns to the sentence; `nil` if a u-blox chip cannot send it.
    var ubxID: UBXMessageID? {
        let name = self == .pubx00 ? "PUBX_ID_POLYP" : "NMEA_ID_\(rawValue)"
        return MessageOutput.all.first { $0.name == name }?.id
    }
}
