// SPDX-License-Identifier: MIT

extension ConfigurationKey {
    /// The time between two measurements in milliseconds.
    public static let measurementPeriod = ConfigurationKey(0x3021_0001)
    /// The number of measurements for each fix.
    public static let navigationRatio = ConfigurationKey(0x3021_0002)
    /// The time to which measurements are aligned: 0 UTC, 1 GPS, 2 GLONASS, 3 BeiDou, 4 Galileo, 5
    /// NavIC.
    public static let timeReference = ConfigurationKey(0x2021_0003)
    /// The expected motion, as the number of a `DynamicModel`.
    public static let dynamicModel = ConfigurationKey(0x2011_0021)
    /// The fix mode: 1 for 2D only, 2 for 3D only, 3 for both.
    public static let fixMode = ConfigurationKey(0x2011_0011)
    /// The earliest GPS week that a received ten-bit week number can stand for.
    public static let weekNumberRollover = ConfigurationKey(0x3011_0017)
    /// The minimum elevation in degrees; may be negative.
    public static let minimumElevation = ConfigurationKey(0x2011_00A4)
    /// The minimum carrier-to-noise density of a satellite in dB-Hz.
    public static let minimumCN0 = ConfigurationKey(0x2011_00A3)
    /// The minimum number of satellites for a fix.
    public static let minimumSatellites = ConfigurationKey(0x2011_00A1)
    /// The maximum number of satellites for a fix.
    public static let maximumSatellites = ConfigurationKey(0x2011_00A2)
    /// The maximum PDOP of a valid fix, in tenths.
    public static let maximumPDOP = ConfigurationKey(0x3011_00B1)
    /// The maximum estimated position error of a valid fix, in metres.
    public static let maximumPositionAccuracy = ConfigurationKey(0x3011_00B3)
    /// The maximum age of corrections in seconds.
    public static let correctionTimeout = ConfigurationKey(0x2011_00C4)
    /// Whether assistance messages are acknowledged with `MGA-ACK`.
    public static let acknowledgesAiding = ConfigurationKey(0x1011_0025)
    /// The RTK mode: 2 only float solutions, 3 fixed solutions if possible.
    public static let rtkMode = ConfigurationKey(0x2014_0011)
    /// Whether the receiver itself predicts satellite orbits (AssistNow Autonomous).
    public static let autonomousAssistance = ConfigurationKey(0x1023_0001)
    /// The speed below which the reported position does not change (static hold), in centimetres
    /// per second; 0 disables this.
    public static let staticHoldSpeed = ConfigurationKey(0x2025_0038)
    /// The distance from the held position at which static hold ends, in metres.
    public static let staticHoldDistance = ConfigurationKey(0x3025_003B)
    /// The NMEA version: 21, 23, 40, 41 (4.10) or 42 (4.11).
    public static let nmeaVersion = ConfigurationKey(0x2093_0001)
    /// The numbering of satellites: 0 strict, 1 extended.
    public static let nmeaSatelliteNumbering = ConfigurationKey(0x2093_0007)
    /// The maximum number of satellites per talker; 0 is unlimited.
    public static let nmeaMaximumSatellites = ConfigurationKey(0x2093_0002)
    /// Whether the minutes of latitude and longitude in sentences have seven decimals.
    public static let nmeaHighPrecision = ConfigurationKey(0x1093_0006)
    /// Whether sentences have at most 82 characters.
    public static let nmeaLimit82 = ConfigurationKey(0x1093_0005)
    /// Whether the NMEA output is compatible with old programs.
    public static let nmeaCompatible = ConfigurationKey(0x1093_0003)
    /// Whether satellites that were considered for the fix, but not used, are reported as used.
    public static let nmeaConsidersSatellites = ConfigurationKey(0x1093_0004)
    /// The main talker: 0 automatic, 1 GP, 2 GL, 3 GN, 4 GA, 5 GB, 6 GQ.
    public static let nmeaMainTalker = ConfigurationKey(0x2093_0031)
    /// The talker of GSV sentences: 0 the talker of the listed constellation, 1 the main talker.
    public static let nmeaSatelliteTalker = ConfigurationKey(0x2093_0032)
    /// Whether SBAS corrections are used.
    public static let sbasCorrections = ConfigurationKey(0x1036_0004)
    /// Whether SBAS satellites are used for ranging.
    public static let sbasRanging = ConfigurationKey(0x1036_0003)
    /// Whether SBAS integrity information is used.
    public static let sbasIntegrity = ConfigurationKey(0x1036_0005)
    /// The SBAS satellites to search for, one bit for each PRN; bit 0 is PRN 120.
    public static let sbasPRNs = ConfigurationKey(0x5036_0006)
    /// Whether jamming is monitored. Recent firmware always monitors it.
    public static let jammingMonitor = ConfigurationKey(0x1041_000D)
    /// Whether the jamming monitor uses its high sensitivity.
    public static let jammingSensitivityHigh = ConfigurationKey(0x10F6_0051)
    /// Whether corrections from the host are used.
    public static let acceptsHostCorrections = ConfigurationKey(0x100D_0001)
    /// Whether Galileo's high-accuracy service is used.
    public static let usesGalileoHAS = ConfigurationKey(0x100D_0002)
    /// Whether the USB port is enabled.
    public static let usbEnabled = ConfigurationKey(0x1065_0001)
    /// Whether the time pulse is enabled.
    public static let timePulseEnabled = ConfigurationKey(0x1005_0007)
    /// The period of the time pulse without a fix, in microseconds.
    public static let timePulsePeriod = ConfigurationKey(0x4005_0002)
    /// The period of the time pulse with a fix, in microseconds.
    public static let timePulsePeriodLocked = ConfigurationKey(0x4005_0003)
    /// The length of the time pulse with a fix, in microseconds.
    public static let timePulseLengthLocked = ConfigurationKey(0x4005_0005)
    /// The time system to which the pulse is aligned: 0 UTC, 1 GPS, 2 GLONASS, 3 BeiDou, 4 Galileo.
    public static let timePulseTimeGrid = ConfigurationKey(0x2005_000C)
    /// The polarity of the pulse: 1 if the rising edge marks the second.
    public static let timePulsePolarity = ConfigurationKey(0x1005_000B)
    /// The base station mode: 0 off, 1 survey-in, 2 fixed position.
    public static let surveyMode = ConfigurationKey(0x2003_0001)
    /// Whether the configuration is locked. A lock in flash is permanent, so gpsbridge never sets
    /// this key.
    public static let configurationLock = ConfigurationKey(0x10F6_0009)

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
        .rtkMode: "NAVHPG-DGNSSMODE",
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
        .acceptsHostCorrections: "NAVCOR-ENABLE_HOST",
        .usesGalileoHAS: "NAVCOR-ENABLE_GAL_HAS",
        .usbEnabled: "USB-ENABLED",
        .timePulseEnabled: "TP-TP1_ENA",
        .timePulsePeriod: "TP-PERIOD_TP1",
        .timePulsePeriodLocked: "TP-PERIOD_LOCK_TP1",
        .timePulseLengthLocked: "TP-LEN_LOCK_TP1",
        .timePulseTimeGrid: "TP-TIMEGRID_TP1",
        .timePulsePolarity: "TP-POL_TP1",
        .surveyMode: "TMODE-MODE",
        .configurationLock: "SEC-CFG_LOCK",
    ]
}
