// SPDX-License-Identifier: MIT

/// A family of navigation satellites.
///
/// To add a constellation, add a case, an element of `traits` and the size of `Table` here. System
/// IDs must be consecutive, from 1. `CONTRIBUTING.md` lists the other files to change.
public enum Constellation: UInt8, CaseIterable, Hashable, Sendable {
    /// GPS of the United States.
    case gps
    /// Satellite-based augmentation systems: WAAS, EGNOS, MSAS, GAGAN…
    case sbas
    /// Galileo of the European Union.
    case galileo
    /// BeiDou of China.
    case beiDou
    /// QZSS of Japan.
    case qzss
    /// GLONASS of Russia.
    case glonass
    /// NavIC of India.
    case navIC

    /// A table with one value for each constellation, indexed by raw value. It never allocates
    /// memory. Its size must equal the count of `allCases`; a test checks it.
    @usableFromInline package typealias Table<Value> = InlineArray<7, Value>

    /// The names and numbers of a constellation in standards, receivers and programs. An `svid`
    /// plus `listOffset` is the number in the satellite lists of `talker`, and an `svid` plus
    /// `gpsdOffset` is gpsd's `PRN`. The strings are static, because a `String` would be retained
    /// and released on each access.
    @usableFromInline package typealias Traits = (
        name: StaticString, letter: Unicode.Scalar, gnssID: Int, systemID: UInt8?,
        talker: StaticString, listOffset: Int, gpsdOffset: Int
    )

    @inlinable package var traits: Traits {
        switch self {
        case .gps: ("GPS", "G", 0, 1, "GP", 0, 0)
        case .sbas: ("SBAS", "S", 1, nil, "GP", -87, -87)
        case .galileo: ("Galileo", "E", 2, 3, "GA", 0, 300)
        case .beiDou: ("BeiDou", "C", 3, 4, "GB", 0, 400)
        case .qzss: ("QZSS", "J", 5, 5, "GQ", 0, 192)
        case .glonass: ("GLONASS", "R", 6, 2, "GL", 64, 64)
        case .navIC: ("NavIC", "I", 7, 6, "GI", 0, 500)
        }
    }

    /// The common name: `GPS`, `Galileo`…
    package var name: String { "\(traits.name)" }

    /// The letter that RINEX and receiver manuals put before a satellite's number: `G`, `R`, `E`…
    public var letter: Character { Character(traits.letter) }

    /// The number that u-blox calls `gnssId` and gpsd calls `gnssid`.
    @inlinable public var gnssID: Int { traits.gnssID }

    /// The system ID of NMEA 4.10; `nil` for SBAS, whose satellites are listed with GPS.
    package var systemID: UInt8? { traits.systemID }

    /// The talker of the constellation's satellite lists in NMEA 4.11: `GP`, `GL`, `GA`…
    package var talker: String { "\(traits.talker)" }

    /// The constellations that have a system ID, sorted by it from 1.
    package static let bySystemID = allCases.filter { $0.systemID != nil }
        .sorted { $0.systemID ?? 0 < $1.systemID ?? 0 }

    /// Creates the constellation with a system ID. Returns `nil` for an unknown ID.
    package init?(systemID: UInt8) {
        guard 1...Self.bySystemID.count ~= Int(systemID) else { return nil }
        self = Self.bySystemID[Int(systemID) - 1]
    }

    /// Creates the constellation with a `gnssID`. Returns `nil` for an unknown number.
    public init?(gnssID: Int) {
        guard let constellation = Self.allCases.first(where: { $0.gnssID == gnssID }) else {
            return nil
        }
        self = constellation
    }
}

extension SatelliteID {
    /// The number of the satellite in the GSV and GSA sentences of its constellation's talker, as
    /// in NMEA 4.11.
    package var listedNumber: Int { number(from: constellation.traits.listOffset) }

    /// The number that gpsd calls `PRN`, unique across constellations.
    @inlinable package var nmeaNumber: Int { number(from: constellation.traits.gpsdOffset) }

    @usableFromInline
    func number(from offset: Int) -> Int {
        // SBAS satellites above 151 have the same number in both numberings.
        constellation == .sbas && svid > 151 ? Int(svid) : Int(svid) + offset
    }
}
