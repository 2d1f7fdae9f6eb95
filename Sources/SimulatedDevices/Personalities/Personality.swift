// SPDX-License-Identifier: MIT
public import GNSS
public import GPSReceivers
public import NMEA

/// The output of a kind of receiver: its sentences, their order and their number of digits.
///
/// You can define your own:
///
/// ```swift
/// let mine = Personality(
///     name: "mine", summary: "RMC and GGA alone", constellations: [.gps], cycle: [.rmc, .gga])
/// ```
///
/// Every personality marks its sentences as simulated: GGA quality 8, and mode `S` in THS and from
/// NMEA 2.3 on. No property changes that.
public struct Personality: Hashable, Sendable {
    /// The name in commands: `ublox8`.
    public var name: String
    /// A short description of the receivers.
    public var summary: String
    /// The edition of NMEA 0183, which determines the fields of its sentences.
    public var version = NMEAVersion.v4_0
    /// The received constellations, in the order in which they are listed.
    public var constellations = [Constellation.gps]
    /// The sentences of each epoch, in order.
    public var cycle: [CycleSentence]
    /// The numbering of satellites.
    public var numbering = Numbering.standard
    /// The number of decimals; numbers are rounded.
    public var decimals = SentenceDecimals()
    /// Talkers that differ from the default: that of the only constellation, or `GN` for several.
    public var talkers: [CycleSentence: Talker] = [:]
    /// The talker of BeiDou's GSV sentences: `GB`, or `BD` before NMEA 4.11.
    public var beiDouTalker = Talker.beiDou
    /// The minimum interval between lists of satellites in view, in seconds; 0 for every epoch.
    public var viewPeriod = 0.0
    /// The tracked signals by NMEA 4.11 ids, the main one first. Constellations without an entry
    /// have only their main signal.
    public var signals: [Constellation: [UInt8]] = [:]
    /// The maximum number of used satellites in GGA.
    public var maximumSatelliteCount = 99
    /// The value for an unknown dilution; `nil` for a null field.
    public var unknownDilution: Double?
    /// Whether GGA and VTG contain units without a fix.
    public var writesUnitsWithoutFix = true
    /// Sentences sent after power-on, without `$` and checksum.
    public var startUp: [String] = []
    /// The receiver's factory baud rate.
    public var baudRate = BaudRate.default
    /// The maximum number of epochs per second.
    public var maximumRate = 1.0
    /// The chip that also sends UBX; `nil` for NMEA only.
    var chip: UBXChip?
    /// The commands that it understands, if it is not a u-blox; `nil` for none.
    var dialect: CommandDialect?

    /// The numbering of satellites other than GPS.
    public enum Numbering: Hashable, Sendable {
        /// NMEA 4.11: Galileo, BeiDou and QZSS count from 1; the talker or the system id distinguishes them.
        case standard
        /// u-blox up to NMEA 4.0: Galileo from 301, BeiDou from 401, QZSS from 193.
        case extended
        /// SiRF and SkyTraq: BeiDou from 201, QZSS from 193.
        case from201
        /// Quectel: Galileo from 101.
        case from101
    }

    /// Returns the number of a satellite in sentences; `nil` if the scheme has none.
    func number(of id: SatelliteID) -> Int? {
        let svid = Int(id.svid)
        switch (id.constellation, numbering) {
        case (.gps, _): return svid
        case (.sbas, _): return svid >= 120 && svid <= 151 ? svid - 87 : nil
        case (.glonass, _): return svid + 64
        case (.galileo, .extended): return svid + 300
        case (.galileo, .from101): return svid + 100
        case (.galileo, _): return svid
        case (.beiDou, .extended): return svid + 400
        case (.beiDou, .from201): return svid + 200
        case (.beiDou, _): return svid
        case (.qzss, .extended), (.qzss, .from201): return svid + 192
        case (.qzss, _): return svid
        case (.navIC, _): return svid
        }
    }

    /// Returns the tracked signals of a constellation.
    func signals(of constellation: Constellation) -> [UInt8] {
        signals[constellation] ?? [constellation == .galileo ? 7 : 1]
    }

    /// Whether it can also send UBX (see `SimulatedReceiver.Configuration.protocols`).
    public var sendsUBX: Bool {
        chip.map { $0.configuration.dialect != .ignores && $0.configuration.dialect != .refuses }
            ?? false
    }

    /// Whether fixes use several constellations; SBAS counts as GPS.
    var isCombined: Bool { constellations.contains { $0 != .gps && $0 != .sbas } }

    /// Returns the talker of a sentence about the fix.
    func talker(of sentence: CycleSentence) -> Talker {
        talkers[sentence] ?? (isCombined ? .gnss : .gps)
    }

    /// Returns the talker of a constellation's GSV sentences.
    func talker(of constellation: Constellation) -> Talker {
        constellation == .beiDou ? beiDouTalker : Talker(rawValue: constellation.talker)
    }
}

extension Personality {
    /// Creates a personality; other properties have the most common values.
    public init(
        name: String, summary: String, constellations: [Constellation] = [.gps],
        cycle: [CycleSentence]
    ) {
        self.init(
            name: name, summary: summary, version: .v4_0, constellations: constellations,
            cycle: cycle)
    }
}

/// The editions of NMEA 0183 that changed the fields of sentences.
public enum NMEAVersion: Int, Comparable, Hashable, Sendable {
    /// 2.0: no mode letters.
    case v2_0 = 20
    /// 2.3: mode letters in RMC, GLL and VTG.
    case v2_3 = 23
    /// 4.0.
    case v4_0 = 40
    /// 4.10: a system id in GSA, a signal id in GSV, the navigation status in RMC and GNS.
    case v4_10 = 410
    /// 4.11: separate talkers and numbers for BeiDou and QZSS.
    case v4_11 = 411

    /// Orders editions by age.
    public static func < (a: NMEAVersion, b: NMEAVersion) -> Bool { a.rawValue < b.rawValue }
}

/// A sentence, or a set of them, that a receiver sends once in a cycle.
public enum CycleSentence: String, CaseIterable, Hashable, Sendable {
    /// Fix data.
    case gga = "GGA"
    /// Fix data of several constellations.
    case gns = "GNS"
    /// Position.
    case gll = "GLL"
    /// Recommended minimum.
    case rmc = "RMC"
    /// Course and speed.
    case vtg = "VTG"
    /// Satellites used, one sentence for each constellation.
    case gsa = "GSA"
    /// Satellites in view, a set for each constellation.
    case gsv = "GSV"
    /// Error statistics.
    case gst = "GST"
    /// Expected errors.
    case gbs = "GBS"
    /// Time and date.
    case zda = "ZDA"
    /// u-blox's position.
    case pubx00 = "PUBX,00"
    /// Garmin's errors.
    case pgrme = "PGRME"
    /// Garmin's altitude.
    case pgrmz = "PGRMZ"
    /// Garmin's datum.
    case pgrmm = "PGRMM"
    /// Trimble's position.
    case ptnlGGK = "PTNL,GGK"
    /// Magnetic heading and variation.
    case hdg = "HDG"
    /// True heading.
    case ths = "THS"
}
