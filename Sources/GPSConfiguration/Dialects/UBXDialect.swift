// SPDX-License-Identifier: MIT
import UBX

/// The common part of both ways to configure a u-blox chip.
protocol UBXDialect: Dialect {
    /// The port at which we are.
    var port: UBXPort? { get }
}

extension UBXDialect {
    var probe: Exchange {
        Exchange(UBXFrame.bytes(MonVER.id, payload: []), attempts: 3, timeout: .milliseconds(700))
    }

    func messages(of selection: MessageSelection) throws(ConfigurationError) -> [String: Int] {
        let version = state.identity.protocolVersion ?? 0
        let sentences = ["RMC", "GGA", "GSA", "GSV", "VTG"]
        var frames = ["NAV-PVT", "NAV-SAT", "NAV-DOP", "NAV-EOE"]
        if version < 18 { frames = ["NAV-PVT", "NAV-SVINFO", "NAV-DOP"] }
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
        switch restart {
        case .hot: message.clearedData = 0
        case .warm: message.clearedData = 1
        case .cold: message.clearedData = 0xFFFF
        }
        // Other modes make a USB port disappear.
        message.mode = .gnssOnly
        return Exchange(message.frame, attempts: 1, settling: .milliseconds(500))
    }

    /// The message with a name such as `RMC` or `NAV-PVT`.
    func messageID(_ name: String) throws(ConfigurationError) -> UBXMessageID {
        guard let id = UBXMessageNames.id(name) else {
            throw error(
                .unsupported, "has no message '\(name)' that is known here",
                remedy: "names are such as RMC, GGA or NAV-PVT")
        }
        return id
    }

    /// The storage of a module by its firmware: that in ROM has no flash beside it.
    func savedExplanation(_ storage: ReceiverState.Storage) -> ConfigurationReport.Saved {
        .init(
            storage: storage,
            explanation: storage == .flash
                ? "saved in flash and in battery-backed memory: it lasts"
                : "saved in battery-backed memory, as the module has no flash: it lasts only as long "
                    + "as the backup battery or supply")
    }
}

/// Names of messages in options and files.
enum UBXMessageNames {
    /// The old chips' messages have no keys, so no `MessageOutput`.
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
