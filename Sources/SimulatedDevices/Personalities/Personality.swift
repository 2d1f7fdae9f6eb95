// SPDX-License-Identifier: MIT
public import GNSS
public import GPSReceivers
public import NMEA

/// How a kind of receiver writes: which sentences, in which order, with how many digits.
///
/// One of your own is a value like those of the list:
///
/// ```swift
/// let mine = Personality(
///     name: "mine", summary: "RMC and GGA alone", constellations: [.gps], cycle: [.rmc, .gga])
/// ```
///
/// Every personality marks its data as simulated: GGA quality 8, and mode `S` from NMEA 2.3 on and in
/// THS. No property changes that.
public struct Personality: Hashable, Sendable {
    /// The name in commands: `ublox8`.
    public var name: String
    /// Which receivers write like this, in a few words.
    public var summary: String
    /// The edition of NMEA 0183, which decides the fields of its sentences.
    public var version = NMEAVersion.v4_0
    /// The constellations it receives, in the order in which it lists them.
    public var constellations = [Constellation.gps]
    /// The sentences of each epoch, in order.
    public var cycle: [CycleSentence]
    /// The satellites' numbers.
    public var numbering = Numbering.standard
    /// Digits behind the points; numbers are rounded to them.
    public var decimals = SentenceDecimals()
    /// Talkers other than the usual: one constellation's own, or `GN` where there are several.
    public var talkers: [CycleSentence: Talker] = [:]
    /// The talker of BeiDou's lists: `GB`, or `BD` before NMEA 4.11.
    public var beiDouTalker = Talker.beiDou
    /// The least seconds from one list of satellites in view to the next; 0 lists them every epoch.
    public var viewPeriod = 0.0
    /// The signals it tracks, by NMEA 4.11's ids, the main one first; the main one alone where a
    /// constellation is left out.
    public var signals: [Constellation: [UInt8]] = [:]
    /// The most used satellites that GGA can count.
    public var maximumSatelliteCount = 99
    /// The value written for an unknown dilution; `nil` writes a null field.
    public var unknownDilution: Double?
    /// Whether GGA and VTG have their units while there is no fix.
    public var writesUnitsWithoutFix = true
    /// Sentences sent first, each without `$` and checksum.
    public var startUp: [String] = []
    /// The baud rate of a new receiver.
    public var baudRate = BaudRate.default
    /// The most epochs a second it can be set to.
    public var maximumRate = 1.0

    /// How satellites beyond GPS are numbered.
    public enum Numbering: Hashable, Sendable {
        /// NMEA 4.11: Galileo, BeiDou and QZSS count from 1; the talker or the system id distinguishes them.
        case standard
        /// u-blox's up to NMEA 4.0: Galileo from 301, BeiDou from 401, QZSS from 193.
        case extended
        /// SiRF's and SkyTraq's: BeiDou from 201, QZSS from 193.
        case from201
        /// Quectel's: Galileo from 101.
        case from101
    }

    /// The number of a satellite in lists; `nil` where this scheme has none for it.
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

    /// The signals of a constellation.
    func signals(of constellation: Constellation) -> [UInt8] {
        signals[constellation] ?? [constellation == .galileo ? 7 : 1]
    }

    /// Whether its fixes use several constellations; SBAS counts with GPS.
    var isCombined: Bool { constellations.contains { $0 != .gps && $0 != .sbas } }

    /// The talker of a sentence about the fix.
    func talker(of sentence: CycleSentence) -> Talker {
        talkers[sentence] ?? (isCombined ? .gnss : .gps)
    }

    /// The talker of a constellation's list.
    func talker(of constellation: Constellation) -> Talker {
        constellation == .beiDou ? beiDouTalker : Talker(rawValue: constellation.talker)
    }
}

extension Personality {
    /// Creates a personality; its other properties are as in most receivers until they are set.
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
    /// 4.11: talkers and numbers of their own for BeiDou and QZSS.
    case v4_11 = 411

    /// Orders by age.
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
    /// A compass's heading and the variation.
    case hdg = "HDG"
    /// True heading.
    case ths = "THS"
}
