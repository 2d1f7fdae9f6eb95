// SPDX-License-Identifier: MIT
package import GNSS

/// A key of the configuration database of M9, F9, M10 and later chips.
///
/// Bits 28 to 30 encode the size of the value, bits 16 to 23 are the group, and bits 0 to 11 the
/// item within the group.
package struct ConfigurationKey: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package init(_ rawValue: UInt32) { self.rawValue = rawValue }

    /// The size of the value in bytes; 0 if this is not a valid key.
    package var size: Int {
        switch rawValue >> 28 & 7 {
        case 1, 2: 1
        case 3: 2
        case 4: 4
        case 5: 8
        default: 0
        }
    }

    /// Whether the value is either 0 or 1.
    package var isSwitch: Bool { rawValue >> 28 & 7 == 1 }

    /// The group of the key, such as `0x31` for signals.
    package var group: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 16) }

    /// The item within the group. `0xFFF` requests all items.
    package var item: UInt16 { UInt16(truncatingIfNeeded: rawValue & 0xFFF) }

    /// Returns the key that requests all items of a group.
    package static func wholeGroup(_ group: UInt8) -> ConfigurationKey {
        ConfigurationKey(0x1000_FFFF | UInt32(group) << 16)
    }

    /// The key that requests all items of all groups.
    package static let everything = ConfigurationKey(0x0FFF_FFFF)

    /// Whether the key requests all items of a group, or of all groups.
    package var isWildcard: Bool { item == 0xFFF }

    /// Returns whether a request for this key includes another key.
    package func includes(_ key: ConfigurationKey) -> Bool {
        isWildcard ? group == 0xFF || group == key.group : self == key
    }

    /// The number of the key as four bytes, as in a message.
    package var bytes: [UInt8] { rawValue.littleEndianBytes }

    /// Reads keys. Returns `nil` if the data ends inside a key.
    static func keys(of data: [UInt8]) -> [ConfigurationKey]? {
        guard data.count.isMultiple(of: 4) else { return nil }
        return stride(from: 0, to: data.count, by: 4).map {
            ConfigurationKey(UInt32(littleEndianBytes: data[$0..<$0 + 4]))
        }
    }

    /// Whether setting the key could permanently disable the chip. Such a key is never sent.
    package var isForbidden: Bool {
        [0x10F6_0009, 0x30F6_000A, 0x30F6_000B].contains(rawValue)
    }
}

extension ConfigurationKey {
    /// The time between two measurements in milliseconds.
    package static let measurementPeriod = ConfigurationKey(0x3021_0001)
    /// The number of measurements for each fix.
    package static let navigationRatio = ConfigurationKey(0x3021_0002)
    /// The time to which measurements are aligned: 0 UTC, 1 GPS, 2 GLONASS, 3 BeiDou, 4 Galileo, 5
    /// NavIC.
    package static let timeReference = ConfigurationKey(0x2021_0003)
    /// The expected motion, as the number of a `DynamicModel`.
    package static let dynamicModel = ConfigurationKey(0x2011_0021)
    /// The fix mode: 1 for 2D only, 2 for 3D only, 3 for both.
    package static let fixMode = ConfigurationKey(0x2011_0011)
    /// The earliest GPS week that a received ten-bit week number can stand for.
    package static let weekNumberRollover = ConfigurationKey(0x3011_0017)
    /// The minimum elevation in degrees; may be negative.
    package static let minimumElevation = ConfigurationKey(0x2011_00A4)
    /// The minimum carrier-to-noise density of a satellite in dB-Hz.
    package static let minimumCN0 = ConfigurationKey(0x2011_00A3)
    package static let minimumSatellites = ConfigurationKey(0x2011_00A1)
    package static let maximumSatellites = ConfigurationKey(0x2011_00A2)
    /// The maximum PDOP of a valid fix, in tenths.
    package static let maximumPDOP = ConfigurationKey(0x3011_00B1)
    /// The maximum estimated position error of a valid fix, in metres.
    package static let maximumPositionAccuracy = ConfigurationKey(0x3011_00B3)
    /// The maximum age of corrections in seconds.
    package static let correctionTimeout = ConfigurationKey(0x2011_00C4)
    /// Whether assistance messages are acknowledged with `MGA-ACK`.
    package static let acknowledgesAiding = ConfigurationKey(0x1011_0025)
    /// Whether the chip checks Galileo's signatures itself.
    package static let galileoAuthentication = ConfigurationKey(0x1035_0005)
    /// Whether the receiver itself predicts satellite orbits (AssistNow Autonomous).
    package static let autonomousAssistance = ConfigurationKey(0x1023_0001)
    /// The speed below which the reported position does not change (static hold), in centimetres
    /// per second; 0 disables this.
    package static let staticHoldSpeed = ConfigurationKey(0x2025_0038)
    /// The distance from the held position at which static hold ends, in metres.
    package static let staticHoldDistance = ConfigurationKey(0x3025_003B)
    /// The NMEA version: 21, 23, 40, 41 (4.10) or 42 (4.11).
    package static let nmeaVersion = ConfigurationKey(0x2093_0001)
    /// The numbering of satellites: 0 strict, 1 extended.
    package static let nmeaSatelliteNumbering = ConfigurationKey(0x2093_0007)
    /// The maximum number of satellites per talker; 0 is unlimited.
    package static let nmeaMaximumSatellites = ConfigurationKey(0x2093_0002)
    /// Whether the minutes of latitude and longitude in sentences have seven decimals.
    package static let nmeaHighPrecision = ConfigurationKey(0x1093_0006)
    /// Whether sentences have at most 82 characters.
    package static let nmeaLimit82 = ConfigurationKey(0x1093_0005)
    /// Whether the NMEA output is compatible with old programs.
    package static let nmeaCompatible = ConfigurationKey(0x1093_0003)
    /// Whether satellites that were considered for the fix, but not used, are reported as used.
    package static let nmeaConsidersSatellites = ConfigurationKey(0x1093_0004)
    /// The main talker: 0 automatic, 1 GP, 2 GL, 3 GN, 4 GA, 5 GB, 6 GQ.
    package static let nmeaMainTalker = ConfigurationKey(0x2093_0031)
    /// The talker of GSV sentences: 0 the talker of the listed constellation, 1 the main talker.
    package static let nmeaSatelliteTalker = ConfigurationKey(0x2093_0032)
    package static let sbasCorrections = ConfigurationKey(0x1036_0004)
    package static let sbasRanging = ConfigurationKey(0x1036_0003)
    package static let sbasIntegrity = ConfigurationKey(0x1036_0005)
    /// The SBAS satellites to search for, one bit for each PRN; bit 0 is PRN 120.
    package static let sbasPRNs = ConfigurationKey(0x5036_0006)
    /// Whether jamming is monitored. Recent firmware always monitors it.
    package static let jammingMonitor = ConfigurationKey(0x1041_000D)
    /// Whether the jamming monitor uses its high sensitivity.
    package static let jammingSensitivityHigh = ConfigurationKey(0x10F6_0051)
    /// The period of the time pulse without a fix, in microseconds.
    package static let timePulsePeriod = ConfigurationKey(0x4005_0002)
    /// Whether the configuration is locked. A lock in flash is permanent, so gpsbridge never sets
    /// this key.
    package static let configurationLock = ConfigurationKey(0x10F6_0009)

    /// The names of the keys, as u-blox spells them.
    static let names: [ConfigurationKey: String] = [
        .measurementPeriod: "RATE-MEAS",
        .navigationRatio: "RATE-NAV",
        .timeReference: "RATE-TIMEREF",
        .dynamicModel: "NAVSPG-DYNMODEL",
        .fixMode: "NAVSPG-FIXMODE",
        .weekNumberRollover: "NAVSPG-WKNROLLOVER",
        .minimumElevation: "NAVSPG-INFIL_MINELEV",
        .minimumCN0: "NAVSPG-INFIL_MINCNO",
        .minimumSatellites: "NAVSPG-INFIL_MINSVS",
        .maximumSatellites: "NAVSPG-INFIL_MAXSVS",
        .maximumPDOP: "NAVSPG-OUTFIL_PDOP",
        .maximumPositionAccuracy: "NAVSPG-OUTFIL_PACC",
        .correctionTimeout: "NAVSPG-CONSTR_DGNSSTO",
        .acknowledgesAiding: "NAVSPG-ACKAIDING",
        ConfigurationKey(0x2014_0011): "NAVHPG-DGNSSMODE",
        .galileoAuthentication: "GAL-USE_OSNMA",
        .autonomousAssistance: "ANA-USE_ANA",
        .staticHoldSpeed: "MOT-GNSSSPEED_THRS",
        .staticHoldDistance: "MOT-GNSSDIST_THRS",
        .nmeaVersion: "NMEA-PROTVER",
        .nmeaSatelliteNumbering: "NMEA-SVNUMBERING",
        .nmeaMaximumSatellites: "NMEA-MAXSVS",
        .nmeaHighPrecision: "NMEA-HIGHPREC",
        .nmeaLimit82: "NMEA-LIMIT82",
        .nmeaCompatible: "NMEA-COMPAT",
        .nmeaConsidersSatellites: "NMEA-CONSIDER",
        .nmeaMainTalker: "NMEA-MAINTALKERID",
        .nmeaSatelliteTalker: "NMEA-GSVTALKERID",
        .sbasCorrections: "SBAS-USE_DIFFCORR",
        .sbasRanging: "SBAS-USE_RANGING",
        .sbasIntegrity: "SBAS-USE_INTEGRITY",
        .sbasPRNs: "SBAS-PRNSCANMASK",
        .jammingMonitor: "ITFM-ENABLE",
        .jammingSensitivityHigh: "SEC-JAMDET_SENSITIVITY_HI",
        ConfigurationKey(0x100D_0001): "NAVCOR-ENABLE_HOST",
        ConfigurationKey(0x100D_0002): "NAVCOR-ENABLE_GAL_HAS",
        ConfigurationKey(0x1065_0001): "USB-ENABLED",
        ConfigurationKey(0x1005_0007): "TP-TP1_ENA",
        .timePulsePeriod: "TP-PERIOD_TP1",
        ConfigurationKey(0x4005_0003): "TP-PERIOD_LOCK_TP1",
        ConfigurationKey(0x4005_0005): "TP-LEN_LOCK_TP1",
        ConfigurationKey(0x2005_000C): "TP-TIMEGRID_TP1",
        ConfigurationKey(0x1005_000B): "TP-POL_TP1",
        ConfigurationKey(0x2003_0001): "TMODE-MODE",
        .configurationLock: "SEC-CFG_LOCK",
    ]
}

extension ConfigurationKey {
    /// A protocol of a port. The raw value is the item number of the protocol's keys within a
    /// group.
    package enum PortProtocol: UInt32, CaseIterable, Sendable {
        /// u-blox's binary protocol.
        case ubx = 1
        /// NMEA sentences.
        case nmea = 2
        /// RTCM 2, only as input.
        case rtcm2 = 3
        /// RTCM 3 messages.
        case rtcm3 = 4
        /// SPARTN, only as input.
        case spartn = 5

        /// The name in lists of a port's protocols.
        package var label: String {
            switch self {
            case .ubx: "ubx"
            case .nmea: "nmea"
            case .rtcm2: "rtcm2"
            case .rtcm3: "rtcm3"
            case .spartn: "spartn"
            }
        }

        var name: String {
            switch self {
            case .ubx: "UBX"
            case .nmea: "NMEA"
            case .rtcm2: "RTCM2X"
            case .rtcm3: "RTCM3X"
            case .spartn: "SPARTN"
            }
        }
    }

    package static func input(_ protocol: PortProtocol, on port: UBXPort) -> ConfigurationKey {
        ConfigurationKey(0x1071_0000 + UInt32(port.rawValue) << 17 + `protocol`.rawValue)
    }

    package static func output(_ protocol: PortProtocol, on port: UBXPort) -> ConfigurationKey {
        ConfigurationKey(0x1072_0000 + UInt32(port.rawValue) << 17 + `protocol`.rawValue)
    }

    /// Returns the key for the baud rate of a UART; `nil` for other ports.
    package static func baudRate(of port: UBXPort) -> ConfigurationKey? {
        switch port {
        case .uart1: ConfigurationKey(0x4052_0001)
        case .uart2: ConfigurationKey(0x4053_0001)
        default: nil
        }
    }

    /// The name of the key, such as `CFG-RATE-MEAS`, or its number in hexadecimal digits if it has
    /// no known name.
    package var name: String {
        if let name = Self.names[self] { return "CFG-\(name)" }
        if let signal = (SignalKey.constellations + SignalKey.signals).first(where: {
            $0.key == self
        }) {
            return "CFG-SIGNAL-\(signal.name)_ENA"
        }
        if let (message, port) = MessageOutput.output(of: self) {
            return "CFG-MSGOUT-\(message.name)_\(port.name)"
        }
        for port in UBXPort.all {
            if self == Self.baudRate(of: port) { return "CFG-\(port.name)-BAUDRATE" }
            for kind in PortProtocol.allCases {
                if self == .input(kind, on: port) { return "CFG-\(port.name)INPROT-\(kind.name)" }
                if self == .output(kind, on: port) { return "CFG-\(port.name)OUTPROT-\(kind.name)" }
            }
        }
        return "0x" + String(hexadecimal: UInt64(rawValue), width: 8, isUppercase: true)
    }
}

/// A key that enables a constellation or one of its signals. To enable a constellation, set its own
/// key and the key of at least one of its signals.
package struct SignalKey: Hashable, Sendable {
    /// The name, as u-blox spells it: `GPS` or `GPS_L1CA`.
    package let name: String
    /// The constellation's number (`gnssId`).
    package let gnssID: UInt8
    /// The key in `CFG-SIGNAL`. Its value is a Boolean.
    package let key: ConfigurationKey

    /// The constellation; `nil` for an unknown `gnssID`.
    package var constellation: Constellation? { Constellation(gnssID: Int(gnssID)) }

    private init(_ name: String, gnssID: UInt8, _ key: UInt32) {
        (self.name, self.gnssID, self.key) = (name, gnssID, ConfigurationKey(key))
    }

    package static let constellations = [
        SignalKey("GPS", gnssID: 0, 0x1031_001F),
        SignalKey("SBAS", gnssID: 1, 0x1031_0020),
        SignalKey("GAL", gnssID: 2, 0x1031_0021),
        SignalKey("BDS", gnssID: 3, 0x1031_0022),
        SignalKey("QZSS", gnssID: 5, 0x1031_0024),
        SignalKey("GLO", gnssID: 6, 0x1031_0025),
        SignalKey("NAVIC", gnssID: 7, 0x1031_0026),
    ]

    package static let signals = [
        SignalKey("GPS_L1CA", gnssID: 0, 0x1031_0001),
        SignalKey("GPS_L2C", gnssID: 0, 0x1031_0003),
        SignalKey("GPS_L5", gnssID: 0, 0x1031_0004),
        SignalKey("SBAS_L1CA", gnssID: 1, 0x1031_0005),
        SignalKey("GAL_E1", gnssID: 2, 0x1031_0007),
        SignalKey("GAL_E5A", gnssID: 2, 0x1031_0009),
        SignalKey("GAL_E5B", gnssID: 2, 0x1031_000A),
        SignalKey("GAL_E6", gnssID: 2, 0x1031_000B),
        SignalKey("BDS_B1", gnssID: 3, 0x1031_000D),
        SignalKey("BDS_B1C", gnssID: 3, 0x1031_000F),
        SignalKey("BDS_B2", gnssID: 3, 0x1031_000E),
        SignalKey("BDS_B2A", gnssID: 3, 0x1031_0028),
        SignalKey("BDS_B3", gnssID: 3, 0x1031_0010),
        SignalKey("QZSS_L1CA", gnssID: 5, 0x1031_0012),
        SignalKey("QZSS_L1CB", gnssID: 5, 0x1031_0039),
        SignalKey("QZSS_L1S", gnssID: 5, 0x1031_0014),
        SignalKey("QZSS_L2C", gnssID: 5, 0x1031_0015),
        SignalKey("QZSS_L5", gnssID: 5, 0x1031_0017),
        SignalKey("GLO_L1", gnssID: 6, 0x1031_0018),
        SignalKey("GLO_L2", gnssID: 6, 0x1031_001A),
        SignalKey("NAVIC_L5", gnssID: 7, 0x1031_001D),
    ]
}

extension ConfigurationKey {
    /// Whether BeiDou's signal B1I is received.
    package static let beiDouB1I = ConfigurationKey(0x1031_000D)
    /// Whether BeiDou's signal B1C is received.
    package static let beiDouB1C = ConfigurationKey(0x1031_000F)
}

/// A message that a receiver can send periodically, with its keys in the configuration database.
package struct MessageOutput: Hashable, Sendable {
    /// The name, as u-blox spells it: `NMEA_ID_RMC` or `UBX_NAV_PVT`.
    package let name: String
    /// The class and id of the message. Sentences have the class `0xF0`, and u-blox's own sentences
    /// `0xF1`.
    package let id: UBXMessageID
    private let base: UInt32

    private init(_ name: String, _ messageClass: UInt8, _ number: UInt8, _ base: UInt32) {
        self.name = name
        id = UBXMessageID(messageClass, number)
        self.base = base
    }

    /// Returns the key of the output rate on a port, in navigation epochs per message; 0 disables
    /// the message.
    package func key(on port: UBXPort) -> ConfigurationKey {
        ConfigurationKey(base + UInt32(port.rawValue))
    }

    package var isSentence: Bool { id.messageClass >= 0xF0 }

    /// Returns the message with the given id; `nil` if its keys are not known.
    package static func output(_ id: UBXMessageID) -> MessageOutput? {
        all.first { $0.id == id }
    }

    /// Returns the message and the port whose output rate the key sets; `nil` if the key does not
    /// set an output rate.
    package static func output(of key: ConfigurationKey) -> (MessageOutput, UBXPort)? {
        for port in UBXPort.all {
            if let message = all.first(where: { $0.key(on: port) == key }) {
                return (message, port)
            }
        }
        return nil
    }

    /// All messages whose keys are known.
    package static let all = [
        MessageOutput("NMEA_ID_RMC", 0xF0, 0x04, 0x2091_00AB),
        MessageOutput("NMEA_ID_VTG", 0xF0, 0x05, 0x2091_00B0),
        MessageOutput("NMEA_ID_GNS", 0xF0, 0x0D, 0x2091_00B5),
        MessageOutput("NMEA_ID_GGA", 0xF0, 0x00, 0x2091_00BA),
        MessageOutput("NMEA_ID_GSA", 0xF0, 0x02, 0x2091_00BF),
        MessageOutput("NMEA_ID_GSV", 0xF0, 0x03, 0x2091_00C4),
        MessageOutput("NMEA_ID_GLL", 0xF0, 0x01, 0x2091_00C9),
        MessageOutput("NMEA_ID_GRS", 0xF0, 0x06, 0x2091_00CE),
        MessageOutput("NMEA_ID_GST", 0xF0, 0x07, 0x2091_00D3),
        MessageOutput("NMEA_ID_ZDA", 0xF0, 0x08, 0x2091_00D8),
        MessageOutput("NMEA_ID_GBS", 0xF0, 0x09, 0x2091_00DD),
        MessageOutput("NMEA_ID_DTM", 0xF0, 0x0A, 0x2091_00A6),
        MessageOutput("NMEA_ID_VLW", 0xF0, 0x0F, 0x2091_00E7),
        MessageOutput("PUBX_ID_POLYP", 0xF1, 0x00, 0x2091_00EC),
        MessageOutput("PUBX_ID_POLYS", 0xF1, 0x03, 0x2091_00F1),
        MessageOutput("PUBX_ID_POLYT", 0xF1, 0x04, 0x2091_00F6),
        MessageOutput("UBX_NAV_PVT", 0x01, 0x07, 0x2091_0006),
        MessageOutput("UBX_NAV_SAT", 0x01, 0x35, 0x2091_0015),
        MessageOutput("UBX_NAV_STATUS", 0x01, 0x03, 0x2091_001A),
        MessageOutput("UBX_NAV_POSECEF", 0x01, 0x01, 0x2091_0024),
        MessageOutput("UBX_NAV_POSLLH", 0x01, 0x02, 0x2091_0029),
        MessageOutput("UBX_NAV_HPPOSLLH", 0x01, 0x14, 0x2091_0033),
        MessageOutput("UBX_NAV_DOP", 0x01, 0x04, 0x2091_0038),
        MessageOutput("UBX_NAV_VELECEF", 0x01, 0x11, 0x2091_003D),
        MessageOutput("UBX_NAV_VELNED", 0x01, 0x12, 0x2091_0042),
        MessageOutput("UBX_NAV_CLOCK", 0x01, 0x22, 0x2091_0065),
        MessageOutput("UBX_NAV_SBAS", 0x01, 0x32, 0x2091_006A),
        MessageOutput("UBX_NAV_PVAT", 0x01, 0x17, 0x2091_062A),
        MessageOutput("UBX_NAV_SIG", 0x01, 0x43, 0x2091_0345),
        MessageOutput("UBX_NAV_EOE", 0x01, 0x61, 0x2091_015F),
        MessageOutput("UBX_NAV_COV", 0x01, 0x36, 0x2091_0083),
        MessageOutput("UBX_NAV_SVIN", 0x01, 0x3B, 0x2091_0088),
        MessageOutput("UBX_NAV_RELPOSNED", 0x01, 0x3C, 0x2091_008D),
        MessageOutput("UBX_NAV_TIMEGPS", 0x01, 0x20, 0x2091_0047),
        MessageOutput("UBX_NAV_TIMEGAL", 0x01, 0x25, 0x2091_0056),
        MessageOutput("UBX_NAV_TIMEUTC", 0x01, 0x21, 0x2091_005B),
        MessageOutput("UBX_NAV_TIMELS", 0x01, 0x26, 0x2091_0060),
        MessageOutput("UBX_NAV_EELL", 0x01, 0x3D, 0x2091_0313),
        MessageOutput("UBX_NAV_PL", 0x01, 0x62, 0x2091_0415),
        MessageOutput("UBX_NAV2_PVT", 0x29, 0x07, 0x2091_0490),
        MessageOutput("UBX_MON_RF", 0x0A, 0x38, 0x2091_0359),
        MessageOutput("UBX_MON_HW", 0x0A, 0x09, 0x2091_01B4),
        MessageOutput("UBX_MON_COMMS", 0x0A, 0x36, 0x2091_034F),
        MessageOutput("UBX_MON_SPAN", 0x0A, 0x31, 0x2091_038B),
        MessageOutput("UBX_MON_SYS", 0x0A, 0x39, 0x2091_069D),
        MessageOutput("UBX_TIM_TP", 0x0D, 0x01, 0x2091_017D),
        MessageOutput("UBX_RXM_RTCM", 0x02, 0x32, 0x2091_0268),
        MessageOutput("UBX_RXM_COR", 0x02, 0x34, 0x2091_06B6),
        MessageOutput("UBX_RXM_RAWX", 0x02, 0x15, 0x2091_02A4),
        MessageOutput("UBX_RXM_SFRBX", 0x02, 0x13, 0x2091_0231),
        MessageOutput("UBX_SEC_SIG", 0x27, 0x09, 0x2091_0634),
        MessageOutput("UBX_SEC_SIGLOG", 0x27, 0x10, 0x2091_0689),
        MessageOutput("UBX_SEC_OSNMA", 0x27, 0x0A, 0x2091_06CA),
    ]
}
