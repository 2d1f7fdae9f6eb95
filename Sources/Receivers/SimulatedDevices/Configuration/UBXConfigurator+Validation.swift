// SPDX-License-Identifier: MIT
import UBX

extension UBXConfigurator {
    /// Returns whether all new values are valid, and the chip supports the constellations and
    /// signals that would then be enabled.
    func isAllowed(_ items: [ConfigurationItem]) -> Bool {
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
