// SPDX-License-Identifier: MIT

/// The manufacturer of a proprietary sentence: the three letters after its `P`.
public struct Manufacturer: RawRepresentable, Hashable, Sendable {
    /// The three letters, such as `UBX`. A shorter address has fewer letters.
    public let rawValue: String

    /// Creates a manufacturer from its letters, even if it is unknown.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension Manufacturer {
    /// u-blox.
    public static let uBlox = Manufacturer(rawValue: "UBX")
    /// Garmin.
    public static let garmin = Manufacturer(rawValue: "GRM")
    /// MediaTek.
    public static let mediaTek = Manufacturer(rawValue: "MTK")
    /// Ashtech. Receivers of other manufacturers send its attitude sentence too.
    public static let ashtech = Manufacturer(rawValue: "ASH")
    /// Trimble.
    public static let trimble = Manufacturer(rawValue: "TNL")
    /// SiRF.
    public static let sirf = Manufacturer(rawValue: "SRF")
    /// SkyTraq.
    public static let skyTraq = Manufacturer(rawValue: "STI")
    /// ST Microelectronics.
    public static let st = Manufacturer(rawValue: "STM")
    /// Quectel.
    public static let quectel = Manufacturer(rawValue: "QTM")
}

extension RawSentence {
    /// The manufacturer of a proprietary sentence; `nil` for other sentences.
    public var manufacturer: Manufacturer? {
        guard !isEncapsulated, address.kind == .proprietary else { return nil }
        return Manufacturer(rawValue: String(address.description.dropFirst().prefix(3)))
    }
}
