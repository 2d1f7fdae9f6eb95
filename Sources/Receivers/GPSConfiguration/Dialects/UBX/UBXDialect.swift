// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The common part of the two dialects for u-blox chips.
protocol UBXDialect: Dialect {}

extension UBXDialect {
    /// The lowest number of fixes per second. It is limited by the period in milliseconds, which
    /// has 16 bits.
    static var smallestRate: Double { 0.016 }

    var probe: Exchange { .probe(IdentityDetector.firstQuestion) }

    func messages(of selection: MessageSelection) throws(ConfigurationError) -> [String: Int] {
        let version = state.identity.leastProtocolVersion
        let sentences = ["RMC", "GGA", "GSA", "GSV", "VTG"]
        var frames = ["NAV-PVT", "NAV-SAT", "NAV-DOP", "NAV-EOE"]
        // NAV-SVINFO cannot number all satellites that an M8 receives.
        if version < 18 {
            frames = ["NAV-PVT", version < 15 ? "NAV-SVINFO" : "NAV-SAT", "NAV-DOP"]
        }
        if version < 14 {
            frames = [
                "NAV-SOL", "NAV-POSLLH", "NAV-VELNED", "NAV-TIMEUTC", "NAV-SVINFO", "NAV-DOP",
            ]
        }
        let names: [String]
        switch selection {
        case .nmea: names = sentences
        case .ubx: names = frames
        case .both: names = sentences + frames
        case .list(let list): return list
        }
        return Dictionary(uniqueKeysWithValues: names.map { ($0, 1) })
    }

    func restart(_ restart: ConfigurationRequest.Restart) throws(ConfigurationError) -> Exchange {
        var message = CfgRST()
        message.clearedData = restart.value(hot: 0, warm: 1, cold: 0xFFFF)
        // Other modes also restart the USB interface, so that the tty disappears.
        message.mode = .gnssOnly
        return Exchange(message.frame, attempts: 1, settling: .milliseconds(500))
    }

    func factoryReset() throws(ConfigurationError) -> [Exchange] {
        [Exchange(CfgCFG.factoryReset.frame, attempts: 1, settling: .seconds(1))]
    }

    /// Returns the constellations to enable. QZSS is enabled together with GPS, because they share
    /// signals, unless the chip already has exactly the requested constellations.
    func withQZSS(_ requested: Set<Constellation>) -> Set<Constellation> {
        requested.contains(.gps) && requested != state.configuration.constellations
            ? requested.union([.qzss]) : requested
    }

    /// Returns the ID of the message with a name such as `RMC` or `NAV-PVT`.
    func messageID(_ name: String) throws(ConfigurationError) -> UBXMessageID {
        guard let id = UBXMessageNames.id(name) else {
            throw error(
                .unsupported, "has no message '\(name)' that gpsbridge knows",
                remedy: "use names such as RMC, GGA or NAV-PVT")
        }
        return id
    }

    /// The request that saves all settings in effect, in every memory of the module.
    var savingOfEverything: ConfigurationSaving {
        let saved: ConfigurationReport.Saved =
            switch state.identity.hasFlash {
            case true?: savedExplanation(.flash)
            case false?: savedExplanation(.battery)
            case nil:
                .init(
                    storage: .battery,
                    explanation: "saved in battery-backed memory, and in flash or EEPROM if the "
                        + "module has one")
            }
        return ConfigurationSaving(requests: [CfgCFG.saveAll.frame], saved: saved)
    }

    /// Describes where settings were saved, and for how long. A module whose firmware is in ROM has
    /// no flash.
    func savedExplanation(_ storage: ReceiverState.Storage) -> ConfigurationReport.Saved {
        .init(
            storage: storage,
            explanation: storage == .flash
                ? "saved in flash and in battery-backed memory, permanently"
                : "saved in battery-backed memory, as the module has no flash: lasts only as long "
                    + "as the backup battery or supply")
    }
}

/// The names of u-blox messages in options and files.
enum UBXMessageNames {
    /// Messages that have no configuration keys, and thus no `MessageOutput`. Most of them exist
    /// only in old chips.
    private static let legacyNames: [String: UBXMessageID] = [
        "NAV-SOL": NavSOL.id, "NAV-SVINFO": NavSVINFO.id, "THS": UBXMessageID(0xF0, 0x0E),
    ]

    static func name(_ output: MessageOutput) -> String {
        switch output.id.messageClass {
        case 0xF0: String(output.name.dropFirst("NMEA_ID_".count))
        case 0xF1: "PUBX0\(output.id.number)"
        default: output.name.dropFirst("UBX_".count).split(separator: "_").joined(separator: "-")
        }
    }

    static func name(_ id: UBXMessageID) -> String? {
        MessageOutput.output(id).map(name)
            ?? legacyNames.first { $0.value == id }?.key
    }

    static func id(_ name: String) -> UBXMessageID? {
        MessageOutput.all.first { self.name($0) == name }?.id ?? legacyNames[name]
    }
}
