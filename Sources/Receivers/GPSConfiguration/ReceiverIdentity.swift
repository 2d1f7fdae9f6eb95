// SPDX-License-Identifier: MIT

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
