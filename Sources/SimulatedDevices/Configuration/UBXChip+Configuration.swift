// SPDX-License-Identifier: MIT
import GNSS
import UBX

extension UBXChip {
    /// The configuration features of a chip generation: the messages that it understands, and the
    /// settings that it supports.
    struct Configuration: Hashable, Sendable {
        /// The configuration messages that the chip understands.
        var dialect = Dialect.legacy
        /// Whether the module has flash memory.
        var hasFlash = false
        /// The factory baud rate of the UART.
        var baudRate = 9600
        /// The constellations that the chip can receive, in the order of its sentences.
        var constellations: [Constellation] = [.gps, .sbas, .glonass, .qzss]
        /// The maximum number of constellations enabled at the same time, not counting SBAS and
        /// QZSS; `nil` for no limit.
        var maximumConstellations: Int?
        /// Whether, if several constellations are enabled, all signals of each must be enabled.
        var needsBothBands = false
        /// Whether the front end receives only two of these three bands: GPS with Galileo, GLONASS,
        /// and BeiDou.
        var hasTwoBands = false
        /// Whether BeiDou's signal B1I cannot be enabled together with B1C or with GLONASS. The
        /// factory settings are an exception.
        var sharesBeiDouBand = false
        /// Whether the chip has a second UART and can send RTCM 3 corrections.
        var hasTwoUARTs = false
        /// The names of the chip's signals, as in `SignalKey.signals`.
        var signals = ["GPS_L1CA", "SBAS_L1CA", "QZSS_L1CA", "GLO_L1"]
        /// The signals that the firmware disables by default.
        var disabledSignals: Set<String> = []
        /// The UBX messages of other simulated chips that this chip does not have.
        var unknownMessages: Set<UBXMessageID> = []
        /// Keys that only this chip knows, with their default values.
        var ownKeys: [UInt32: UInt64] = [:]
        /// The minimum time between measurements, in milliseconds.
        var minimumPeriod: UInt64 = 50

        /// The set of configuration messages that a chip understands.
        enum Dialect: Hashable, Sendable {
            /// Up to M8: `CFG` messages, each with several settings.
            case legacy
            /// M9 and F9: the configuration database, and the `CFG` messages of earlier chips.
            case both
            /// M10 and later: the configuration database, and of the earlier `CFG` messages only
            /// `CFG-MSG` and `CFG-CFG`.
            case database
            /// A clone that answers all configuration messages with `ACK-NAK`.
            case refuses
            /// A clone that does not answer configuration messages.
            case ignores
        }
    }

    /// Whether the chip has the configuration database.
    var hasDatabase: Bool {
        configuration.dialect == .both || configuration.dialect == .database
    }

    /// Returns whether the chip has a message.
    func knows(_ message: UBXMessageID) -> Bool {
        !configuration.unknownMessages.contains(message)
    }

    /// Returns whether the chip has a port.
    func has(_ port: UBXPort) -> Bool {
        UBXPort.all.contains(port) && (port != .uart2 || configuration.hasTwoUARTs)
    }
}

extension UBXChip.Configuration {
    /// u-blox 6: GPS and SBAS, without CFG-GNSS.
    static let generation6 = UBXChip.Configuration(
        constellations: [.gps, .sbas], signals: ["GPS_L1CA", "SBAS_L1CA"],
        unknownMessages: generation7.unknownMessages.union([NavPVT.id, CfgGNSS.id]),
        minimumPeriod: 200)

    /// u-blox 7: one constellation at a time.
    static let generation7 = UBXChip.Configuration(
        maximumConstellations: 1, unknownMessages: newMessages.union(messagesFrom8),
        minimumPeriod: 100)

    /// u-blox 8 and M8: three constellations at once.
    static let generation8 = UBXChip.Configuration(
        constellations: [.gps, .sbas, .galileo, .beiDou, .qzss, .glonass],
        maximumConstellations: 3, hasTwoBands: true,
        signals: ["GPS_L1CA", "SBAS_L1CA", "GAL_E1", "BDS_B1", "QZSS_L1CA", "GLO_L1"],
        unknownMessages: newMessages)

    /// u-blox M9, with flash. It has no key for QZSS L1S.
    static let generation9 = UBXChip.Configuration(
        dialect: .both, hasFlash: true, baudRate: 38_400,
        constellations: fourAndQZSS, signals: firstBand.filter { $0 != "QZSS_L1S" },
        unknownMessages: highPrecision.union(messagesFromM10).union([NavSOL.id]),
        ownKeys: [0x1041_000D: 0, 0x2041_0001: 3, 0x2041_0002: 15], minimumPeriod: 25)

    /// u-blox M10, without flash.
    static let generation10 = UBXChip.Configuration(
        dialect: .database, baudRate: 38_400,
        constellations: fourAndQZSS, sharesBeiDouBand: true, signals: firstBand + ["BDS_B1C"],
        disabledSignals: ["BDS_B1C"], unknownMessages: highPrecision.union([NavSOL.id]),
        ownKeys: [0x1041_000D: 0], minimumPeriod: 40)

    /// ZED-F9P with firmware HPG 1.50, with flash.
    static let f9p = UBXChip.Configuration(
        dialect: .both, hasFlash: true, baudRate: 38_400,
        constellations: fourAndQZSS, needsBothBands: true, hasTwoUARTs: true,
        signals: firstBand + ["GPS_L2C", "GAL_E5B", "BDS_B2", "QZSS_L2C", "GLO_L2"],
        disabledSignals: ["QZSS_L1S"], unknownMessages: [RxmCOR.id, NavSOL.id],
        ownKeys: [
            0x1031_0027: 1, 0x10F6_0051: 0, 0x2014_0011: 3, 0x2003_0001: 0, 0x2003_0002: 0,
            0x4003_0010: 0, 0x4003_0011: 0,
        ], minimumPeriod: 25)

    /// ZED-X20P with firmware HPG 2.10, with flash.
    static let x20p = UBXChip.Configuration(
        dialect: .database, hasFlash: true, baudRate: 38_400,
        constellations: fourAndQZSS + [.navIC], hasTwoUARTs: true,
        signals: firstBand + [
            "GPS_L2C", "GPS_L5", "GAL_E5A", "GAL_E5B", "GAL_E6", "BDS_B1C", "BDS_B2", "BDS_B2A",
            "BDS_B3", "QZSS_L1CB", "QZSS_L2C", "QZSS_L5", "GLO_L2", "NAVIC_L5",
        ],
        disabledSignals: ["GAL_E5B", "BDS_B2"], unknownMessages: [RxmRTCM.id, NavSOL.id],
        ownKeys: [
            0x1031_002A: 0, 0x1031_002F: 1, 0x2031_003A: 2, 0x1032_0001: 1, 0x1032_0003: 0,
            0x1032_0004: 0, 0x100D_0001: 1, 0x100D_0002: 0, 0x10F6_0051: 0, 0x2014_0011: 3,
            0x2003_0001: 0,
        ], minimumPeriod: 25)

    private static let fourAndQZSS: [Constellation] = [
        .gps, .sbas, .glonass, .galileo, .beiDou, .qzss,
    ]
    private static let firstBand = [
        "GPS_L1CA", "SBAS_L1CA", "GAL_E1", "BDS_B1", "QZSS_L1CA", "QZSS_L1S", "GLO_L1",
    ]
    private static let highPrecision: Set = [
        NavHPPOSLLH.id, NavSVIN.id, NavRELPOSNED.id, RxmRTCM.id, RxmRAWX.id,
    ]
    private static let messagesFromM10: Set = [RxmCOR.id, SecSIG.id, SecSIGLOG.id, NavPL.id]
    private static let messagesFrom8: Set = [NavSAT.id, NavEOE.id, RxmSFRBX.id]
    private static let newMessages = highPrecision.union(messagesFromM10).union([
        NavSIG.id, NavCOV.id, NavEELL.id, NavPVAT.id, MonRF.id, MonCOMMS.id, MonSPAN.id,
        UBXMessageID(0x29, 0x07),
    ])
}
