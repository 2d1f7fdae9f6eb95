// SPDX-License-Identifier: MIT
public import GNSS

extension Constellation {
    /// The constellation that a talker or, for the talkers of several, a system id speaks of.
    @inline(__always)
    init?(talker address: Address, systemID: UInt8?) {
        // By a table, since which talker comes next cannot be foreseen.
        let key = address.talkerKey
        let place = Int(key >> 8) &- Int(UInt8(ascii: "A"))
        guard key & 0xFF == UInt16(UInt8(ascii: "G")), 0..<26 ~= place,
            let constellation = Self.ofTalkers[place]
        else {
            self.init(unusual: key, systemID: systemID)
            return
        }
        self = constellation
    }

    @inline(never)
    private init?(unusual key: UInt16, systemID: UInt8?) {
        switch key {
        case Address.key("B", "D"): self = .beiDou
        case Address.key("Q", "Z"): self = .qzss
        default:
            guard let systemID, let system = Constellation(systemID: systemID) else { return nil }
            self = system
        }
    }

    /// The constellations of the talkers GA to GZ.
    private static let ofTalkers: InlineArray<26, Constellation?> = [
        .galileo, .beiDou, nil, nil, nil, nil, nil, nil, .navIC, nil, nil, .glonass, nil,
        nil, nil, .gps, .qzss, nil, nil, nil, nil, nil, nil, nil, nil, nil,
    ]

    private init?(systemID: UInt8) {
        switch systemID {
        case 1: self = .gps
        case 2: self = .glonass
        case 3: self = .galileo
        case 4: self = .beiDou
        case 5: self = .qzss
        case 6: self = .navIC
        default: return nil
        }
    }
}

extension Address {
    static func key(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> UInt16 {
        UInt16(UInt8(ascii: first)) | UInt16(UInt8(ascii: second)) << 8
    }
}

/// What numbers mean that are listed under one constellation.
struct SatelliteNumbering {
    private let constellation: Constellation?
    /// The one whose own numbers these are.
    let family: Constellation
    /// Nearly all number their satellites from 1 on, and GLONASS from 65.
    private let first: Int
    private let ownCount: UInt

    @inline(__always)
    init(_ constellation: Constellation?) {
        self.constellation = constellation
        family = constellation ?? .sbas
        first = constellation == .glonass ? 65 : 1
        ownCount = Self.ownCounts[Int(family.rawValue)]
    }

    /// How many own numbers there are, in the order of `Constellation`.
    private static let ownCounts: InlineArray<7, UInt> = [32, 0, 36, 64, 10, 32, 15]

    /// A bit for one of the own numbers, the first one's the lowest; 0 for others.
    @inline(__always)
    func ownBit(_ number: Int) -> UInt64 {
        let place = UInt(bitPattern: number &- first)
        return place < ownCount ? 1 &<< UInt64(place) : 0
    }

    /// The satellite that a number means; `nil` for a number that is none's.
    @inline(__always)
    func satellite(_ number: Int) -> SatelliteID? {
        let place = UInt(bitPattern: number &- first)
        guard place < ownCount else {
            return SatelliteID(unusual: number, listedUnder: constellation)
        }
        return SatelliteID(known: UInt8(truncatingIfNeeded: place &+ 1), family)
    }
}

extension SatelliteID {
    /// The satellite that a number on the wire means, given the constellation it is listed under.
    ///
    /// The several schemes of receivers are told apart by their ranges; 201 and 202 are BeiDou
    /// unless listed under QZSS. A number outside the table is no satellite.
    public init?(number: Int, listedUnder constellation: Constellation?) {
        guard let id = SatelliteNumbering(constellation).satellite(number) else { return nil }
        self = id
    }

    @inline(never)
    fileprivate init?(unusual number: Int, listedUnder constellation: Constellation?) {
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
