// SPDX-License-Identifier: MIT
import GNSS
import UBX

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
            for id in UBXEpoch.messages { messages[id] = epochs(id) }
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
