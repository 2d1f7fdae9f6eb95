// SPDX-License-Identifier: MIT
package import GNSS
package import GPSReceivers
package import NMEA

/// The characteristics of a kind of receiver: its sentences, their order and precision, and the
/// commands that it understands.
///
/// You can define your own personality:
///
/// ```swift
/// let mine = Personality(
///     name: "mine", summary: "RMC and GGA alone", constellations: [.gps], cycle: [.rmc, .gga])
/// ```
///
/// Every personality marks its epochs as simulated: quality 8 in GGA, mode `S` in THS and, from
/// NMEA 2.3 on, mode `S` in the sentences with a mode field. No property changes this. With RTK, GGA
/// has its quality instead, if another sentence of the epoch has the mode.
public struct Personality: Hashable, Sendable {
    /// The name on the command line, such as `ublox8`.
    public var name: String
    /// A short description of the receivers.
    public var summary: String
    /// The version of NMEA 0183, which determines the fields of the sentences.
    public var version = Version.v4_0
    /// The received constellations, in the order in which sentences list them.
    package var constellations = [Constellation.gps]
    /// The sentences of each epoch, in order.
    package var cycle: [CycleSentence]
    /// The scheme for the numbers of satellites in sentences.
    var numbering = Numbering.standard
    /// The number of decimals of each quantity. Numbers are rounded.
    package var decimals = SentenceDecimals()
    /// The talkers of sentences with a talker other than the default. The default is `GN` if the
    /// receiver uses constellations other than GPS and SBAS, otherwise `GP`.
    package var talkers: [CycleSentence: Talker] = [:]
    /// The talker of BeiDou's GSV sentences: `GB`, or `BD` for receivers that follow older
    /// conventions.
    var beiDouTalker = Talker.beiDou
    /// The minimum interval between lists of satellites in view, in seconds; 0 for every epoch.
    var viewPeriod = 0.0
    /// The tracked signals of each constellation as NMEA 4.11 signal IDs, the main signal first. A
    /// constellation without an entry has only its main signal.
    package var signals: [Constellation: [UInt8]] = [:]
    /// The maximum number of used satellites that GGA reports.
    var maximumSatelliteCount = 99
    /// The value that sentences contain for an unknown DOP; `nil` for a null field.
    var unknownDilution: Double?
    /// Whether GGA and VTG contain the letters of units even if the values are null fields.
    var writesUnitsWithoutFix = true
    /// The sentences sent after power-on, without `$` and checksum.
    var startUp: [String] = []
    /// The receiver's factory baud rate.
    package var baudRate = BaudRate.default
    /// The maximum number of epochs per second.
    package var maximumRate = 1.0
    /// The u-blox chip, which determines UBX messages and configuration; `nil` for other receivers.
    var chip: UBXChip?
    /// The command set of a receiver that is not from u-blox; `nil` if it understands no commands.
    var dialect: CommandSet?
    /// The kind of base that the receiver is, which also sends corrections (RTCM 3); `nil` for other
    /// receivers.
    package var base: BaseStation.Kind?
    /// Whether the receiver computes centimetres from corrections (RTK).
    var hasRTK: Bool {
        switch dialect {
        case .pqtm, .unicore: true
        default: chip?.hasTwoUARTs ?? false
        }
    }

    /// A scheme for the satellite numbers of constellations other than GPS.
    enum Numbering: Hashable, Sendable {
        /// NMEA 4.11. Galileo, BeiDou and QZSS numbers begin at 1, and the talker or the system ID
        /// distinguishes the constellations.
        case standard
        /// u-blox up to NMEA 4.0. Galileo numbers begin at 301, BeiDou numbers at 401, and QZSS
        /// numbers at 193.
        case extended
        /// SiRF and SkyTraq. BeiDou numbers begin at 201, and QZSS numbers at 193.
        case from201
        /// Quectel. Galileo numbers begin at 101.
        case from101
    }

    /// Returns the number of a satellite in sentences; `nil` if the scheme has no number for it.
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

    /// Returns the tracked signals of a constellation as NMEA 4.11 signal IDs.
    func signals(of constellation: Constellation) -> [UInt8] {
        signals[constellation] ?? [constellation == .galileo ? 7 : 1]
    }

    /// The tracked signals of all received constellations.
    var allSignals: [Constellation: [UInt8]] {
        Dictionary(
            constellations.map { ($0, signals(of: $0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether the receiver can also send UBX (see `SimulatedReceiver.Configuration.protocols`).
    package var sendsUBX: Bool {
        chip.map { $0.dialect != .ignores && $0.dialect != .refuses }
            ?? false
    }

    /// Whether the receiver uses a constellation other than GPS and SBAS.
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
    /// Creates a personality. The other properties have default values.
    package init(
        name: String, summary: String, constellations: [Constellation] = [.gps],
        cycle: [CycleSentence]
    ) {
        self.init(
            name: name, summary: summary, version: .v4_0, constellations: constellations,
            cycle: cycle)
    }
}

extension Personality {
    /// A version of NMEA 0183 that changed the fields of sentences.
    public enum Version: Int, Comparable, Hashable, Sendable {
        /// NMEA 2.0, without mode letters.
        case v2_0 = 20
        /// NMEA 2.3, with mode letters in RMC, GLL and VTG.
        case v2_3 = 23
        /// NMEA 4.0. In the supported sentences, its fields are the same as in 2.3.
        case v4_0 = 40
        /// NMEA 4.10, with a system ID in GSA, a signal ID in GSV, and the navigational status in RMC
        /// and GNS.
        case v4_10 = 410
        /// NMEA 4.11, with separate talkers and numbers for BeiDou and QZSS.
        case v4_11 = 411

        /// Orders versions by age, oldest first.
        public static func < (a: Version, b: Version) -> Bool { a.rawValue < b.rawValue }
    }
}

/// A sentence, or a set of sentences, that a receiver sends once per cycle.
package enum CycleSentence: String, CaseIterable, Hashable, Sendable {
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
    /// Satellites used, in one sentence for each constellation.
    case gsa = "GSA"
    /// Satellites in view, in one set for each constellation.
    case gsv = "GSV"
    /// Error statistics.
    case gst = "GST"
    /// Expected errors.
    case gbs = "GBS"
    /// Time and date.
    case zda = "ZDA"
    /// u-blox's position and accuracy.
    case pubx00 = "PUBX,00"
    /// Garmin's position errors.
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

extension Personality {
    /// All predefined personalities. To add one, declare it in this folder and list it here.
    public static let all: [Personality] = [
        .generic,
        .ublox6, .ublox7, .ublox8, .ublox9, .ublox10,
        .sirf3, .sirf4,
        .mt3339, .l76, .lc29h,
        .teseo, .trimble, .garmin,
        .nmea23, .nmea20,
        .compass, .satelliteCompass,
        .f9p,
        .x20p, .clone, .muteClone, .at9880, .lg290p, .um980,
        .base, .movingBase,
    ]

    /// Returns the predefined personality with a name such as `ublox8`; `nil` if there is none.
    public static func named(_ name: String) -> Personality? {
        all.first { $0.name == name }
    }
}
