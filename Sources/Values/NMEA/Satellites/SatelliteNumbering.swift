// SPDX-License-Identifier: MIT
public import GNSS
import UBX

extension Constellation {
    /// Creates the constellation that a sentence lists: the constellation of the talker or, if the
    /// talker combines several, of the system ID. Returns `nil` if it is unknown.
    ///
    /// A receiver may send the lists of all constellations with the talker of GPS, as with u-blox's
    /// setting `mainTalkerId`. Therefore, a system ID is preferred to that talker.
    @inline(__always)
    init?(talker address: Address, systemID: UInt8?) {
        switch address.talkerKey {
        case Address.key("G", "P"):
            self = systemID.flatMap { Constellation(systemID: $0) } ?? .gps
        case Address.key("G", "L"): self = .glonass
        case Address.key("G", "A"): self = .galileo
        case Address.key("G", "B"), Address.key("B", "D"): self = .beiDou
        case Address.key("G", "Q"), Address.key("Q", "Z"): self = .qzss
        case Address.key("G", "I"): self = .navIC
        default:
            guard let systemID, let system = Constellation(systemID: systemID) else { return nil }
            self = system
        }
    }
}

extension Address {
    /// Whether the talker stands for a single constellation other than GPS. GPS is excluded,
    /// because most receivers also use its talker for a fix from all constellations.
    var isOfOneConstellation: Bool {
        let constellation = Constellation(talker: self, systemID: nil)
        return constellation != nil && constellation != .gps
    }
}

extension Talker {
    /// The talker for GPS, including SBAS.
    public static let gps = Talker(rawValue: "GP")
    /// The talker for GLONASS.
    public static let glonass = Talker(rawValue: "GL")
    /// The talker for Galileo.
    public static let galileo = Talker(rawValue: "GA")
    /// The talker for BeiDou.
    public static let beiDou = Talker(rawValue: "GB")
    /// The talker for QZSS.
    public static let qzss = Talker(rawValue: "GQ")
    /// The talker for NavIC.
    public static let navIC = Talker(rawValue: "GI")
}

extension Address {
    static func key(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> UInt16 {
        UInt16(UInt8(ascii: first)) | UInt16(UInt8(ascii: second)) << 8
    }
}

extension SatelliteID {
    /// Creates the satellite for a number in a sentence. `constellation` is the constellation that
    /// the sentence lists, if known.
    ///
    /// Receivers use several numbering schemes, which differ in their ranges of numbers. 201 and
    /// 202 mean BeiDou unless they are listed under QZSS. Returns `nil` for a number outside all
    /// known ranges.
    public init?(number: Int, listedUnder constellation: Constellation?) {
        if let second = SecondSignal(number: number, listedUnder: constellation) {
            self = second.id
            return
        }
        let id: SatelliteID? =
            switch constellation {
            case nil, .gps, .sbas: Self.mixed(number)
            case .glonass: Self.glonass(number)
            case .galileo: Self.galileo(number)
            case .beiDou: Self.beiDou(number)
            case .qzss: Self.qzss(number)
            case .navIC: Self.navIC(number)
            }
        guard let id else { return nil }
        self = id
    }

    private static func mixed(_ n: Int) -> SatelliteID? {
        switch n {
        case 1...32: SatelliteID(.gps, n)
        case 33...64: SatelliteID(.sbas, n + 87)
        case 65...99: SatelliteID(.glonass, n - 64)
        case 120...158: SatelliteID(.sbas, n)
        // Unicore UM220: a list of used satellites without a system ID. The numbers after 172 may
        // be those of IMES.
        case 161...172: SatelliteID(.beiDou, n - 160)
        case 193...200: SatelliteID(.qzss, n - 192)
        case 201...264: SatelliteID(.beiDou, n - 200)
        case 301...336: SatelliteID(.galileo, n - 300)
        case 401...464: SatelliteID(.beiDou, n - 400)
        case 901...918: SatelliteID(.navIC, n - 900)
        default: nil
        }
    }

    private static func glonass(_ n: Int) -> SatelliteID? {
        switch n {
        case 1...32: SatelliteID(.glonass, n)
        case 33...64: SatelliteID(.sbas, n + 87)
        case 65...99: SatelliteID(.glonass, n - 64)
        case 120...158: SatelliteID(.sbas, n)
        default: nil
        }
    }

    private static func galileo(_ n: Int) -> SatelliteID? {
        switch n {
        case 1...36: SatelliteID(.galileo, n)
        case 101...136: SatelliteID(.galileo, n - 100)
        case 301...336: SatelliteID(.galileo, n - 300)
        default: nil
        }
    }

    private static func beiDou(_ n: Int) -> SatelliteID? {
        switch n {
        case 1...64: SatelliteID(.beiDou, n)
        // Trimble. Larger numbers of Trimble may be those of another scheme.
        case 101...140: SatelliteID(.beiDou, n - 100)
        // Unicore UM220.
        case 161...197: SatelliteID(.beiDou, n - 160)
        case 201...264: SatelliteID(.beiDou, n - 200)
        case 401...464: SatelliteID(.beiDou, n - 400)
        default: nil
        }
    }

    private static func qzss(_ n: Int) -> SatelliteID? {
        switch n {
        case 1...10: SatelliteID(.qzss, n)
        case 193...202: SatelliteID(.qzss, n - 192)
        default: nil
        }
    }

    private static func navIC(_ n: Int) -> SatelliteID? {
        switch n {
        case 1...15: SatelliteID(.navIC, n)
        case 33...64: SatelliteID(.sbas, n + 87)
        case 901...918: SatelliteID(.navIC, n - 900)
        default: nil
        }
    }
}

/// A second signal of a satellite, with a number of its own. Allystar's receivers list such numbers
/// before NMEA 4.10, which has no signal IDs.
struct SecondSignal {
    /// The satellite that transmits the signal.
    let id: SatelliteID
    /// The NMEA 4.11 signal ID.
    let signal: UInt8

    /// Returns `nil` for other numbers. Under BeiDou, numbers from 801 to 850 are not read: their
    /// range overlaps others.
    @inline(__always)
    init?(number: Int, listedUnder constellation: Constellation?) {
        guard number > 500, let constellation else { return nil }
        self.init(number, constellation)
    }

    private init?(_ n: Int, _ constellation: Constellation) {
        let found: (svid: Int, signal: UInt8)? =
            switch (constellation, n) {
            case (.gps, 501...532): (n - 500, 5)  // L2C
            case (.gps, 651...682): (n - 650, 7)  // L5
            case (.glonass, 565...596): (n - 564, 3)  // G2
            case (.galileo, 951...986): (n - 950, 1)  // E5a
            case (.beiDou, 601...663): (n - 600, 3)  // B1C
            case (.beiDou, 701...763): (n - 700, 11)  // B2I
            case (.beiDou, 851...913): (n - 850, 5)  // B2a
            default: nil
            }
        guard let found, let id = SatelliteID(constellation, found.svid) else { return nil }
        self.id = id
        signal = found.signal
    }
}

extension SatelliteID {
    /// Creates the satellite for a number in u-blox's single-number scheme, as in PUBX,03. Returns
    /// `nil` for a GLONASS satellite with an unknown slot (255), and for numbers outside the
    /// scheme.
    public init?(uBloxNumber number: Int) {
        guard let number = UInt8(exactly: number) else { return nil }
        self.init(singleNumber: number)
    }
}
