// SPDX-License-Identifier: MIT
public import Devices
public import GNSS

/// How a kind of receiver speaks: which sentences, in which order, with how many digits.
///
/// One of your own is a value like those of the list:
///
/// ```swift
/// var mine = Personality(name: "mine", summary: "Says little", cycle: [.rmc, .gga])
/// mine.constellations = [.gps]
/// ```
///
/// Whatever it is, what it says calls itself simulated: GGA quality 8, and mode `S` from NMEA 2.3
/// on. Nothing can be set that takes this away.
public struct Personality: Hashable, Sendable {
    /// How a command names it: `ublox8`.
    public var name: String
    /// Which receivers speak like this, in a few words.
    public var summary: String
    /// What it says each epoch, in order.
    public var cycle: [CycleSentence]
    /// Which fields its sentences have.
    public var version = NMEAVersion.v4_0
    /// What it hears, in the order in which it lists them.
    public var constellations: [Constellation] = [.gps]
    /// The satellites' numbers.
    public var numbering = Numbering.standard
    /// Digits behind the points.
    public var decimals = Decimals()
    /// Talkers that differ from the usual: one constellation's own, or `GN` where there are several.
    public var talkers: [CycleSentence: String] = [:]
    /// The talker of BeiDou's lists: `GB`, or `BD` before NMEA 4.11.
    public var beiDouTalker = "GB"
    /// The least seconds from one list of satellites in view to the next; 0 has one every epoch.
    public var viewPeriod = 0.0
    /// The signals it tracks, by NMEA 4.11's ids, the main one first; the main one alone where a
    /// constellation is left out.
    public var signals: [Constellation: [UInt8]] = [:]
    /// How many used satellites GGA can count.
    public var mostCounted = 99
    /// What stands for a dilution that is not known.
    public var unknownDilution = ""
    /// Whether GGA and VTG name their units where there is no fix to tell.
    public var namesLoneUnits = true
    /// Sentences without `$` and checksum that it says first.
    public var startUp: [String] = []
    /// The rate its line has when it comes from the shop.
    public var baudRate = BaudRate.default
    /// The most epochs a second it can be set to.
    public var maximumRate = 1.0

    /// Makes a receiver of GPS alone; all else is as the properties say.
    public init(name: String, summary: String, cycle: [CycleSentence]) {
        self.name = name
        self.summary = summary
        self.cycle = cycle
    }

    /// Digits behind the points, 0 to 9 each, else the nearest of these.
    public struct Decimals: Hashable, Sendable {
        /// Of the seconds of a time.
        public var seconds = 2
        /// Of the minutes of an angle: 4 is 18 cm, 5 is 2 cm.
        public var minutes = 5
        /// Of speeds.
        public var speed = 3
        /// Of courses.
        public var course = 2
        /// Of altitudes.
        public var altitude = 1
        /// Of dilutions.
        public var dilution = 2
        /// Of deviations.
        public var deviation = 1

        /// Makes a u-blox's.
        public init() {}
    }

    /// How satellites beyond GPS are numbered.
    public enum Numbering: Hashable, Sendable {
        /// NMEA 4.11: Galileo from 1, BeiDou from 1, QZSS from 1; told apart by talker or system.
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

    /// Whether several constellations make its fix; SBAS counts with GPS.
    var isCombined: Bool { constellations.contains { $0 != .gps && $0 != .sbas } }

    /// The talker of a sentence about the fix.
    func talker(of sentence: CycleSentence) -> String {
        talkers[sentence] ?? (isCombined ? "GN" : "GP")
    }

    /// The talker of a constellation's list.
    func talker(of constellation: Constellation) -> String {
        switch constellation {
        case .gps, .sbas: "GP"
        case .glonass: "GL"
        case .galileo: "GA"
        case .beiDou: beiDouTalker
        case .qzss: "GQ"
        case .navIC: "GI"
        }
    }
}

/// Which fields a receiver knows of: those of NMEA 0183's editions that changed sentences here.
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

/// A sentence, or a set of them, that a receiver says once in a cycle.
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
}
