// SPDX-License-Identifier: MIT

/// A family of navigation satellites.
///
/// A new one is a case and a line of `traits` here; the numbers that receivers give its satellites are in NMEA's
/// `SatelliteNumbering.swift`.
public enum Constellation: UInt8, CaseIterable, Hashable, Sendable {
    /// The United States' GPS.
    case gps
    /// Satellite-based augmentation: WAAS, EGNOS, MSAS, GAGAN…
    case sbas
    /// The European Union's Galileo.
    case galileo
    /// China's BeiDou.
    case beiDou
    /// Japan's QZSS.
    case qzss
    /// Russia's GLONASS.
    case glonass
    /// India's NavIC.
    case navIC

    /// A value for each constellation, at its raw value, without an allocation. Its size is that of `allCases`, which
    /// a type cannot be given; a test compares them.
    @usableFromInline package typealias Table<Value> = InlineArray<7, Value>

    /// What receivers, standards and programs call it and its satellites.
    fileprivate struct Traits {
        let name: String
        let letter: Character
        let gnssID: Int
        let systemID: UInt8?
        let talker: String
        /// What is added to a satellite's number in the talker's lists, and in gpsd's `PRN`.
        let listOffset, gpsdOffset: Int

        init(
            _ name: String, _ letter: Character, gnssID: Int, systemID: UInt8?, talker: String,
            offsets: (list: Int, gpsd: Int)
        ) {
            self.name = name
            self.letter = letter
            self.gnssID = gnssID
            self.systemID = systemID
            self.talker = talker
            (listOffset, gpsdOffset) = offsets
        }
    }

    fileprivate var traits: Traits {
        switch self {
        case .gps: Traits("GPS", "G", gnssID: 0, systemID: 1, talker: "GP", offsets: (0, 0))
        case .sbas: Traits("SBAS", "S", gnssID: 1, systemID: nil, talker: "GP", offsets: (-87, -87))
        case .galileo: Traits("Galileo", "E", gnssID: 2, systemID: 3, talker: "GA", offsets: (0, 300))
        case .beiDou: Traits("BeiDou", "C", gnssID: 3, systemID: 4, talker: "GB", offsets: (0, 400))
        case .qzss: Traits("QZSS", "J", gnssID: 5, systemID: 5, talker: "GQ", offsets: (0, 192))
        case .glonass: Traits("GLONASS", "R", gnssID: 6, systemID: 2, talker: "GL", offsets: (64, 64))
        case .navIC: Traits("NavIC", "I", gnssID: 7, systemID: 6, talker: "GI", offsets: (0, 500))
        }
    }

    /// The name.
    package var name: String { traits.name }

    /// The letter that RINEX and receiver manuals put before a satellite's number: `G`, `R`, `E`…
    public var letter: Character { traits.letter }

    /// u-blox's `gnssId`, which is gpsd's `gnssid`.
    public var gnssID: Int { traits.gnssID }

    /// NMEA 4.10's system id; SBAS has none, since it is listed with GPS.
    package var systemID: UInt8? { traits.systemID }

    /// The talker of its lists in NMEA 4.11: `GP`, `GL`, `GA`…
    package var talker: String { traits.talker }

    /// Those that have a system id, in its order.
    package static let bySystemID = allCases.filter { $0.systemID != nil }
        .sorted { $0.systemID ?? 0 < $1.systemID ?? 0 }

    /// The constellation of a `gnssID`; `nil` for any other number.
    public init?(gnssID: Int) {
        guard let constellation = Self.allCases.first(where: { $0.gnssID == gnssID }) else {
            return nil
        }
        self = constellation
    }
}

extension SatelliteID {
    /// Its number in the lists of its constellation's talker, as in NMEA 4.11.
    package var listedNumber: Int { number(from: constellation.traits.listOffset) }

    /// gpsd's `PRN`: one number for all constellations.
    package var nmeaNumber: Int { number(from: constellation.traits.gpsdOffset) }

    private func number(from offset: Int) -> Int {
        // Satellites of SBAS above 151 have no other number.
        constellation == .sbas && svid > 151 ? Int(svid) : Int(svid) + offset
    }
}
