// SPDX-License-Identifier: MIT
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
