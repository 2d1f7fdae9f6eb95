// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The identity that a receiver reports.
public struct ReceiverIdentity: Hashable, Sendable, CustomStringConvertible {
    /// A family of chips with the same commands.
    public enum Family: CaseIterable, Sendable {
        /// u-blox 5 to M8, configured by `CFG-` messages for groups of settings.
        case ubloxLegacy
        /// u-blox M9, F9, M10 and later, configured by keys and values.
        case ublox
        /// Zhongke's CASIC chips, such as AT6558.
        case casic
        /// MediaTek's MT33xx.
        case mediaTek
        /// Airoha's AG33xx.
        case airoha
        /// Quectel's modules with `PQTM` commands, such as LG290P.
        case quectel
        /// Unicore's UM98x.
        case unicore
        /// A receiver that does not answer version requests, such as a SiRF chip.
        case unidentified

        /// The name of the manufacturer.
        var maker: String {
            switch self {
            case .ubloxLegacy, .ublox: "u-blox"
            case .casic: "CASIC"
            case .mediaTek: "MediaTek"
            case .airoha: "Airoha"
            case .quectel: "Quectel"
            case .unicore: "Unicore"
            case .unidentified: "unidentified"
            }
        }
    }

    /// The family of chips, which determines the commands.
    public let family: Family
    /// The model of the chip or module: `M8`, `ZED-F9P`.
    public let model: String
    /// The firmware version, as the receiver reports it.
    public let firmware: String
    /// The version of u-blox's protocol, such as 18.00; `nil` for other manufacturers and before
    /// generation 7.
    public let protocolVersion: Double?
    /// Whether the module has flash memory for its configuration; `nil` if that is not known.
    public let hasFlash: Bool?

    package init(
        _ family: Family, model: String, firmware: String, protocolVersion: Double? = nil,
        hasFlash: Bool? = nil
    ) {
        (self.family, self.model, self.firmware) = (family, model, firmware)
        (self.protocolVersion, self.hasFlash) = (protocolVersion, hasFlash)
    }

    static let unidentified = ReceiverIdentity(.unidentified, model: "receiver", firmware: "")

    /// The version of u-blox's protocol or, if the chip does not report it, the first version of its
    /// generation.
    var leastProtocolVersion: Double {
        if let protocolVersion { return protocolVersion }
        let first = ["7": 14, "M8": 15, "9": 27, "M10": 34, "X20": 50] as [String: Double]
        return first[model] ?? (family == .ublox ? 27 : 0)
    }

    /// The description of the chip: `u-blox M8 (SPG 3.01)`.
    public var description: String {
        "\(family.maker) \(model)" + (firmware.isEmpty ? "" : " (\(firmware))")
    }
}

/// Identifies a receiver by its answers to version requests.
enum IdentityDetector {
    /// The version request for u-blox, the most common manufacturer.
    static let firstQuestion = UBXFrame.bytes(MonVER.id, payload: [])

    /// The version requests for all other manufacturers. A receiver ignores requests in other
    /// protocols.
    static let otherQuestions: [[UInt8]] = [
        CASICFrame.bytes(
            CASICFrame.message,
            payload: [CASICFrame.version.messageClass, CASICFrame.version.number, 0xFF, 0xFF]),
        TextLine.sentence("PCAS06,0"), TextLine.sentence("PQTMVERNO"),
        TextLine.sentence("PMTK605"), TextLine.sentence("PAIR020"), TextLine.plain("VERSIONB"),
    ]

    /// Returns the identity of the receiver that sent a message; `nil` if the message does not
    /// identify it.
    static func identity(of message: ReceivedMessage) -> ReceiverIdentity? {
        switch message {
        case .ubx(MonVER.id, let payload): ublox(payload)
        case .casic(CASICFrame.version, let payload):
            casic(payload.text(at: 0, count: 32), model: payload.text(at: 32, count: 32))
        case .unicore(0x25, let payload): unicore(payload)
        case .line(let line): identity(of: line)
        default: nil
        }
    }

    /// Returns whether another answer may identify the receiver more exactly. A CASIC V6 chip first
    /// sends an answer without its model, and up to a second later one with it. A Quectel module
    /// with an Airoha chip answers with the name of the module, and with the name of the chip. The
    /// identity in a journal must not depend on which answer arrives first.
    static func isIncomplete(_ identity: ReceiverIdentity) -> Bool {
        switch identity.family {
        case .casic: identity.model == unknownV6
        case .airoha: !identity.firmware.hasPrefix("L")
        default: false
        }
    }

    private static let unknownV6 = "AT98xx"

    /// The beginnings of the names of Quectel's modules with Airoha's chips, which use `PAIR`
    /// commands.
    private static let airohaModules = ["LC26G", "LC29H", "LC76", "LC79H", "LC86G"]

    private static func identity(of line: String) -> ReceiverIdentity? {
        if let version = line.dropFirst(3).firstRange(of: "TXT,01,01,02,SW=") {
            return casic("SW=" + line[version.upperBound...], model: "")
        }
        // The names of Quectel's modules begin with L. A module without this request answers with
        // ERROR, and the text with which a simulated one starts contains SIMULATED.
        if let fields = line.fields(after: "$PQTMVERNO,"), let name = fields.first,
            name.hasPrefix("L")
        {
            let model = String(name.prefix { $0 != "A" || name.hasPrefix("A") }.prefix(8))
            let isAiroha = airohaModules.contains(where: name.hasPrefix)
            return ReceiverIdentity(
                isAiroha ? .airoha : .quectel, model: model,
                firmware: fields.prefix(2).joined(separator: " "), hasFlash: true)
        }
        if let fields = line.fields(after: "$PMTK705,") {
            let model = fields.count > 2 ? fields[2].trimmed : ""
            return ReceiverIdentity(
                .mediaTek, model: model.isEmpty ? "MT33xx" : model, firmware: fields[0],
                hasFlash: false)
        }
        if let fields = line.fields(after: "$PAIR020,") {
            return ReceiverIdentity(
                .airoha, model: fields[0].split(separator: "_").first.map(String.init) ?? "AG33xx",
                firmware: fields[0])
        }
        return nil
    }

    /// Returns the identity of a u-blox chip; `nil` for a clone, which also answers. The hardware
    /// and software texts distinguish them.
    private static func ublox(_ payload: [UInt8]) -> ReceiverIdentity? {
        guard let version = MonVER(payload: payload.span), !version.software.isEmpty,
            version.hardware.count >= 8, version.hardware.hasPrefix("00"),
            !version.software.contains("URANUS")
        else { return nil }
        let protocolVersion = version.protocolVersion
        let generations = [
            "00040001": "4", "00040005": "5", "00040007": "6", "00070000": "7", "00080000": "M8",
            "00190000": "9", "000A0000": "M10", "000B0000": "X20",
        ]
        let chip = generations[version.hardware] ?? version.hardware
        // u-blox reports firmware in flash as EXT.
        let hasFlash: Bool? =
            version.software.hasPrefix("EXT")
            ? true
            : version.software.hasPrefix("ROM") ? false : nil
        // Without a protocol version, the generation of the hardware shows which messages it has.
        let usesKeys = protocolVersion.map { $0 >= 24 } ?? ["9", "M10", "X20"].contains(chip)
        return ReceiverIdentity(
            usesKeys ? .ublox : .ubloxLegacy, model: version.module?.trimmed ?? chip,
            firmware: version.firmware, protocolVersion: protocolVersion,
            hasFlash: hasFlash)
    }

    private static func casic(_ software: String, model: String) -> ReceiverIdentity {
        let firmware = software.hasPrefix("SW=") ? String(software.dropFirst(3)) : software
        // Firmware of other versions, such as V2, runs on older chips, whose model is not known.
        let chip =
            firmware.contains("V5.") ? "AT6558" : firmware.contains("V6.") ? unknownV6 : "chip"
        return ReceiverIdentity(
            .casic, model: model.isEmpty ? chip : model, firmware: firmware, hasFlash: true)
    }

    private static func unicore(_ payload: [UInt8]) -> ReceiverIdentity? {
        guard let type = payload.number(at: 0, count: 4) else { return nil }
        let models: [UInt32: String] = [
            17: "UM982", 18: "UM980", 19: "UM960", 24: "UM960L", 26: "UM981",
        ]
        return ReceiverIdentity(
            .unicore, model: models[type] ?? "UM98x (type \(type))",
            firmware: payload.text(at: 4, count: 33))
    }
}
