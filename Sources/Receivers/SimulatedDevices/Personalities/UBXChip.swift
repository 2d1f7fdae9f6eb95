// SPDX-License-Identifier: MIT
import GNSS
import UBX

extension UBXChip {
    // The version texts are those of real chips. A last line, `SIMULATED`, is added, because UBX
    // has no field for simulated data.

    /// u-blox 6: GPS and SBAS, without `CFG-GNSS` and `NAV-PVT`. No message marks the end of an
    /// epoch, and `MON-VER` contains no protocol version.
    static let generation6 = UBXChip(
        navigation: [
            NavPOSLLH.id, NavDOP.id, NavSOL.id, NavVELNED.id, NavTIMEUTC.id, NavSVINFO.id,
        ], monitoring: [MonHW.id],
        version: version("7.03 (45969)", "00040007", []), hasLongPVT: false, confirmsTime: false,
        constellations: [.gps, .sbas], signals: ["GPS_L1CA", "SBAS_L1CA"],
        unknownMessages: unknownTo7.union([NavPVT.id, CfgGNSS.id]), minimumPeriod: 200)

    /// u-blox 7: one constellation at a time. `NAV-PVT` is sent after `NAV-DOP`, as in older
    /// firmware. No message marks the end of an epoch.
    static let generation7 = UBXChip(
        navigation: [NavDOP.id, NavPVT.id, NavSVINFO.id], monitoring: [MonHW.id],
        version: version("1.00 (59842)", "00070000", ["PROTVER 14.00"]), hasLongPVT: false,
        confirmsTime: false, maximumConstellations: 1, unknownMessages: unknownTo7,
        minimumPeriod: 100)

    /// u-blox 8 and M8: three constellations at once.
    static let generation8 = UBXChip(
        navigation: [NavPVT.id, NavSAT.id, NavDOP.id, NavEOE.id], monitoring: [MonHW.id],
        version: version(
            "ROM CORE 3.01 (107888)", "00080000",
            ["FWVER=SPG 3.01", "PROTVER=18.00", "GPS;GLO;GAL;BDS", "SBAS;IMES;QZSS"]),
        identityVersion: 1, confirmsTime: false,
        constellations: [.gps, .sbas, .galileo, .beiDou, .qzss, .glonass],
        maximumConstellations: 3, hasTwoBands: true,
        signals: ["GPS_L1CA", "SBAS_L1CA", "GAL_E1", "BDS_B1", "QZSS_L1CA", "GLO_L1"],
        unknownMessages: newMessages)

    /// u-blox M9, with flash. It has no key for QZSS L1S.
    static let generation9 = UBXChip(
        navigation: fromM9, monitoring: [MonRF.id],
        version: version(
            "EXT CORE 4.04 (7f89f7)", "00190000",
            [
                "ROM BASE 0x118B2060", "FWVER=SPG 4.04", "PROTVER=32.01", "MOD=NEO-M9N",
                "GPS;GLO;GAL;BDS", "SBAS;QZSS",
            ]), identityVersion: 1, dialect: .both, hasFlash: true, baudRate: 38_400,
        constellations: fourAndQZSS, signals: firstBand.filter { $0 != "QZSS_L1S" },
        unknownMessages: highPrecisionMessages.union(messagesFromM10)
            .union([SecOSNMA.id, NavSOL.id]),
        ownKeys: [0x1041_000D: 0, 0x2041_0001: 3, 0x2041_0002: 15], minimumPeriod: 25)

    /// u-blox M10, without flash.
    static let generation10 = UBXChip(
        navigation: fromM9, monitoring: [MonRF.id],
        version: version(
            "ROM SPG 5.10 (7b202e)", "000A0000",
            ["FWVER=SPG 5.10", "PROTVER=34.10", "GPS;GLO;GAL;BDS", "SBAS;QZSS"]),
        identityVersion: 2, dialect: .database, baudRate: 38_400,
        constellations: fourAndQZSS, sharesBeiDouBand: true, signals: firstBand + ["BDS_B1C"],
        disabledSignals: ["BDS_B1C"],
        unknownMessages: highPrecisionMessages.union([SecOSNMA.id, NavSOL.id]),
        ownKeys: [0x1041_000D: 0], minimumPeriod: 40)

    /// ZED-F9P with firmware HPG 1.50.
    static let f9p = highPrecision(
        version(
            "EXT CORE 1.00 (f17067)", "00190000",
            [
                "ROM BASE 0x118B2060", "FWVER=HPG 1.50", "PROTVER=27.50", "MOD=ZED-F9P",
                "GPS;GLO;GAL;BDS", "SBAS;QZSS",
            ]), identityVersion: 1, .both
    ) {
        $0.needsBothBands = true
        $0.signals += ["GPS_L2C", "GAL_E5B", "BDS_B2", "QZSS_L2C", "GLO_L2"]
        $0.disabledSignals = ["QZSS_L1S"]
        $0.unknownMessages = [RxmCOR.id, NavSOL.id, SecOSNMA.id, MonSYS.id]
        $0.ownKeys = [
            0x1031_0027: 1, 0x10F6_0051: 0, 0x2014_0011: 3, 0x2003_0001: 0, 0x2003_0002: 0,
            0x4003_0010: 0, 0x4003_0011: 0,
        ]
    }

    /// ZED-X20P with firmware HPG 2.10.
    static let x20p = highPrecision(
        version(
            "EXT HPG 2.10 (b0dac3)", "000B0000",
            [
                "ROM BASE 0x0A9D3929", "FWVER=HPG 2.10", "PROTVER=50.11", "MOD=ZED-X20P",
                "GPS;GLO;GAL;BDS", "SBAS;QZSS",
            ]), identityVersion: 2, .database
    ) {
        $0.constellations += [.navIC]
        $0.signals += [
            "GPS_L2C", "GPS_L5", "GAL_E5A", "GAL_E5B", "GAL_E6", "BDS_B1C", "BDS_B2", "BDS_B2A",
            "BDS_B3", "QZSS_L1CB", "QZSS_L2C", "QZSS_L5", "GLO_L2", "NAVIC_L5",
        ]
        $0.disabledSignals = ["GAL_E5B", "BDS_B2"]
        $0.unknownMessages = [RxmRTCM.id, NavSOL.id]
        $0.ownKeys = [
            0x1031_002A: 0, 0x1031_002F: 1, 0x2031_003A: 2, 0x1032_0001: 1, 0x1032_0003: 0,
            0x1032_0004: 0, 0x100D_0001: 1, 0x100D_0002: 0, 0x10F6_0051: 0, 0x2014_0011: 3,
            0x2003_0001: 0, 0x1035_0005: 0, 0x1035_0009: 0,
        ]
    }

    /// Returns a clone that reports a version of u-blox 5 and refuses or ignores configuration.
    static func clone(_ dialect: Dialect) -> UBXChip {
        UBXChip(
            navigation: [], monitoring: [], version: version("5.00", "00040005", []),
            dialect: dialect, maximumConstellations: 1, unknownMessages: unknownTo7,
            minimumPeriod: 100)
    }

    // MARK: Common parts

    /// Returns a chip with flash and centimetre precision whose front end has two bands. `change`
    /// sets the properties that are not common to such chips.
    private static func highPrecision(
        _ version: MonVER, identityVersion: UInt8, _ dialect: Dialect,
        _ change: (inout UBXChip) -> Void
    ) -> UBXChip {
        var chip = UBXChip(
            navigation: [
                NavPVT.id, NavSAT.id, NavSIG.id, NavSTATUS.id, NavHPPOSLLH.id, NavDOP.id, NavCOV.id,
                NavPL.id, NavEOE.id,
            ],
            monitoring: [MonRF.id, SecSIG.id], version: version, identityVersion: identityVersion,
            bands: [
                Band(number: 0, noise: 92, gain: 1404), Band(number: 1, noise: 74, gain: 2280),
            ],
            reportsJammingInSecSIG: true, dialect: dialect, hasFlash: true, baudRate: 38_400,
            constellations: fourAndQZSS, hasTwoUARTs: true, signals: firstBand, minimumPeriod: 25)
        change(&chip)
        return chip
    }

    private static func version(
        _ software: String, _ hardware: String, _ extensions: [String]
    ) -> MonVER {
        var version = MonVER()
        version.software = software
        version.hardware = hardware
        version.extensions = (extensions + ["SIMULATED"]).map {
            var line = MonVER.Extension()
            line.text = $0
            return line
        }
        return version
    }

    /// The navigation messages of M9 and M10.
    private static let fromM9 = [
        NavPVT.id, NavSAT.id, NavSIG.id, NavDOP.id, NavCOV.id, NavEOE.id,
    ]
    private static let fourAndQZSS: [Constellation] = [
        .gps, .sbas, .glonass, .galileo, .beiDou, .qzss,
    ]
    private static let firstBand = [
        "GPS_L1CA", "SBAS_L1CA", "GAL_E1", "BDS_B1", "QZSS_L1CA", "QZSS_L1S", "GLO_L1",
    ]
    private static let highPrecisionMessages: Set = [
        NavHPPOSLLH.id, NavSVIN.id, NavRELPOSNED.id, RxmRTCM.id, RxmRAWX.id,
    ]
    private static let messagesFromM10: Set = [
        RxmCOR.id, MonSYS.id, SecSIG.id, SecSIGLOG.id, NavPL.id,
    ]
    private static let newMessages = highPrecisionMessages.union(messagesFromM10).union([
        SecOSNMA.id, NavSIG.id, NavCOV.id, NavEELL.id, NavPVAT.id, MonRF.id, MonCOMMS.id,
        MonSPAN.id, UBXMessageID(0x29, 0x07),
    ])
    private static let unknownTo7 = newMessages.union([
        NavSAT.id, NavEOE.id, NavTIMEGAL.id, RxmSFRBX.id,
    ])
}

/// The UBX messages and features of a u-blox chip.
struct UBXChip: Hashable, Sendable {
    /// The messages of each epoch, in order. Sentences are sent before the last message, `NAV-EOE`.
    var navigation: [UBXMessageID]
    /// The messages sent once a second, after the epoch.
    var monitoring: [UBXMessageID]
    /// The answer to a poll of `MON-VER`.
    var version: MonVER
    /// The version of `SEC-UNIQID`, which contains the chip's identity: 1 (five bytes) or 2 (six
    /// bytes). `nil` for a chip without this message.
    var identityVersion: UInt8?
    /// Whether `NAV-PVT` contains the fields after `flags3`, which generation 7 does not have.
    var hasLongPVT = true
    /// Whether `NAV-PVT` contains the flags for a confirmed date and time.
    var confirmsTime = true
    /// The bands of the RF front end.
    var bands = [Band(number: 0, noise: 92, gain: 2340)]
    /// Whether the jamming state is reported in `SEC-SIG` instead of `MON-RF`.
    var reportsJammingInSecSIG = false

    // The settings and configuration messages that the chip supports.

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
    private var unknownMessages: Set<UBXMessageID> = []
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

    /// A frequency band, with the noise level and the AGC value that the chip reports for it under
    /// open sky.
    struct Band: Hashable, Sendable {
        /// The number of the band: 0 for L1, 1 for L2.
        var number: UInt8
        var noise: UInt16
        var gain: UInt16
    }

    /// Whether the chip has the configuration database.
    var hasDatabase: Bool { dialect == .both || dialect == .database }

    func knows(_ message: UBXMessageID) -> Bool { !unknownMessages.contains(message) }

    func has(_ port: UBXPort) -> Bool {
        UBXPort.all.contains(port) && (port != .uart2 || hasTwoUARTs)
    }
}

/// Writes the UBX frames of each epoch, and the answers to polls.
struct UBXCycleWriter: Sendable {
    private let chip: UBXChip
    private let personality: Personality
    private let errors: ErrorModel
    private let seed: UInt64
    private var epoch: UBXEpoch?
    /// Signs the messages of Galileo's satellites; `nil` if they are not signed.
    private var signatures: SimulatedSignatures?
    private let order: [UBXMessageID]
    private var lastSolution: (solution: Solution, seconds: Double)?
    private var firstFix: Double?
    private var nextSecond = 0.0

    /// Creates a writer. Returns `nil` if the personality has no u-blox chip.
    init?(
        _ personality: Personality, _ errors: ErrorModel, seed: UInt64,
        _ signatures: SimulatedSignatures? = nil
    ) {
        guard let chip = personality.chip else { return nil }
        self.chip = chip
        let others = UBXEpoch.messages.filter { !chip.navigation.contains($0) }
        order = (chip.navigation + others).filter {
            $0 != NavEOE.id && !Self.monitoring.contains($0)
        }
        self.personality = personality
        self.errors = errors
        self.seed = seed
        self.signatures = signatures
    }

    /// The frames sent after power-on: the personality's start-up texts, each in an `INF-NOTICE`.
    var startUp: [UInt8] {
        personality.startUp.flatMap { body in
            // In a TXT sentence, the text follows the address and three numbers.
            let text = body.split(separator: ",", maxSplits: 4).last ?? ""
            return UBXNotice(level: .notice, text: String(text)).frame
        }
    }

    /// Returns the frames that are due in an epoch, `seconds` after the first epoch, with
    /// `sentences` inserted before `NAV-EOE`.
    mutating func cycle(
        _ observation: SimulatedObservation, after seconds: Double, _ disturbances: Disturbances,
        sentences: [UInt8], _ isDue: (UBXMessageID) -> Bool
    ) -> [UInt8] {
        if observation.solution != nil, firstFix == nil { firstFix = seconds }
        if signatures != nil, isDue(RxmSFRBX.id) {
            signatures?.update(observation, disturbances.signatures)
        }
        let epoch = UBXEpoch(
            chip: chip, observation: observation, seconds: seconds,
            timeOfWeek: Self.timeOfWeek(observation, after: seconds, disturbances),
            lastSolution: lastSolution.map { ($0.solution, seconds - $0.seconds) },
            firstFix: firstFix, disturbances: disturbances, signedMessages: signatures?.messages,
            velocityDeviation: errors.velocity)
        if let solution = observation.solution { lastSolution = (solution, seconds) }
        self.epoch = epoch
        var bytes: [UInt8] = []
        for message in order where isDue(message) { bytes += epoch.frame(message) }
        // No field in UBX can mark data as simulated.
        if !bytes.isEmpty {
            bytes += UBXNotice(level: .notice, text: UBXNotice.simulated).frame
        }
        bytes += sentences
        if isDue(NavEOE.id) { bytes += epoch.frame(NavEOE.id) }
        // The margin of 1 µs allows for rounding errors of `seconds`.
        if seconds >= nextSecond - 1e-6 {
            nextSecond = seconds + 1
            for message in Self.monitoring where isDue(message) { bytes += epoch.frame(message) }
        }
        return bytes
    }

    private static func timeOfWeek(
        _ observation: SimulatedObservation, after seconds: Double, _ disturbances: Disturbances
    ) -> UInt32 {
        guard let time = observation.time else { return UBXEpoch.milliseconds(seconds) }
        // Use the true date: a wrong clock does not change the number of leap seconds that
        // satellites broadcast.
        let date = observation.truth.time.date
        let isLater =
            disturbances.leapSecondDay.map { date.daysSince1970 > $0.daysSince1970 } ?? false
        let leapSeconds = GPSTime.leapSeconds(on: date) + (isLater ? 1 : 0)
        return GPSTime(time, leapSeconds: leapSeconds)?.milliseconds
            ?? UBXEpoch.milliseconds(seconds)
    }

    // MARK: Answers

    /// Returns the answer to a poll of `MON-VER`, `SEC-UNIQID`, or a message that the chip can
    /// send; empty for any other message.
    func answer(toPollOf id: UBXMessageID) -> [UInt8] {
        if id == MonVER.id { return chip.version.frame }
        if id == SecUNIQID.id { return identity?.frame ?? [] }
        return chip.knows(id) ? epoch?.frame(id) ?? [] : []
    }

    /// The messages that are sent once a second, after the epoch.
    private static let monitoring: [UBXMessageID] = [
        MonHW.id, MonRF.id, MonSYS.id, SecSIG.id, RxmSFRBX.id,
    ]

    /// The message with the chip's identity, which is derived from the seed; `nil` for a chip
    /// without it.
    var identity: SecUNIQID? {
        guard let version = chip.identityVersion else { return nil }
        var random = SeededGenerator(seed: seed ^ 0x5EED_1D)
        var identity = SecUNIQID()
        identity.version = version
        identity.identity = random.bytes(version == 1 ? 5 : 6)
        return identity
    }
}
