// SPDX-License-Identifier: MIT

extension ConfigurationKey {
    /// Milliseconds from one measurement to the next.
    public static let measurementPeriod = ConfigurationKey(0x3021_0001)
    /// Measurements per fix.
    public static let navigationRatio = ConfigurationKey(0x3021_0002)
    /// 0 UTC, 1 GPS, 2 GLONASS, 3 BeiDou, 4 Galileo, 5 NavIC.
    public static let timeReference = ConfigurationKey(0x2021_0003)
    /// A `DynamicModel` by its number.
    public static let dynamicModel = ConfigurationKey(0x2011_0021)
    /// 1 2D, 2 3D, 3 both.
    public static let fixMode = ConfigurationKey(0x2011_0011)
    /// The first GPS week that dates are resolved to.
    public static let weekNumberRollover = ConfigurationKey(0x3011_0017)
    /// Degrees, signed.
    public static let minimumElevation = ConfigurationKey(0x2011_00A4)
    /// dB-Hz.
    public static let minimumCN0 = ConfigurationKey(0x2011_00A3)
    /// Satellites per fix.
    public static let minimumSatellites = ConfigurationKey(0x2011_00A1)
    /// Satellites per fix.
    public static let maximumSatellites = ConfigurationKey(0x2011_00A2)
    /// Tenths.
    public static let maximumPDOP = ConfigurationKey(0x3011_00B1)
    /// Metres.
    public static let maximumPositionAccuracy = ConfigurationKey(0x3011_00B3)
    /// Seconds after which corrections are dropped.
    public static let correctionTimeout = ConfigurationKey(0x2011_00C4)
    /// Messages of assistance are acknowledged by `MGA-ACK`.
    public static let acknowledgesAiding = ConfigurationKey(0x1011_0025)
    /// 2 float only, 3 fixed.
    public static let rtkMode = ConfigurationKey(0x2014_0011)
    /// Orbits are predicted by the receiver.
    public static let autonomousAssistance = ConfigurationKey(0x1023_0001)
    /// Centimetres per second below which the position stays; 0 is off.
    public static let staticHoldSpeed = ConfigurationKey(0x2025_0038)
    /// Metres that end static hold.
    public static let staticHoldDistance = ConfigurationKey(0x3025_003B)
    /// 21, 23, 40, 41 (4.10) or 42 (4.11).
    public static let nmeaVersion = ConfigurationKey(0x2093_0001)
    /// 0 strict, 1 extended.
    public static let nmeaSatelliteNumbering = ConfigurationKey(0x2093_0007)
    /// Satellites per talker; 0 is unlimited.
    public static let nmeaMaximumSatellites = ConfigurationKey(0x2093_0002)
    /// Seven decimals of a minute.
    public static let nmeaHighPrecision = ConfigurationKey(0x1093_0006)
    /// At most 82 characters.
    public static let nmeaLimit82 = ConfigurationKey(0x1093_0005)
    /// For old programs.
    public static let nmeaCompatible = ConfigurationKey(0x1093_0003)
    /// Satellites that were considered count as used.
    public static let nmeaConsidersSatellites = ConfigurationKey(0x1093_0004)
    /// 0 automatic, 1 GP, 2 GL, 3 GN, 4 GA, 5 GB, 6 GQ.
    public static let nmeaMainTalker = ConfigurationKey(0x2093_0031)
    /// 0 of each constellation, 1 the main talker.
    public static let nmeaSatelliteTalker = ConfigurationKey(0x2093_0032)
    /// Corrections of SBAS are used.
    public static let sbasCorrections = ConfigurationKey(0x1036_0004)
    /// Ranges of SBAS are used.
    public static let sbasRanging = ConfigurationKey(0x1036_0003)
    /// Integrity of SBAS is used.
    public static let sbasIntegrity = ConfigurationKey(0x1036_0005)
    /// A bit for each satellite from 120 on.
    public static let sbasPRNs = ConfigurationKey(0x5036_0006)
    /// Jamming is monitored; always on in late firmware.
    public static let jammingMonitor = ConfigurationKey(0x1041_000D)
    /// A more sensitive monitor of jamming.
    public static let jammingSensitivityHigh = ConfigurationKey(0x10F6_0051)
    /// Corrections from the host are used.
    public static let acceptsHostCorrections = ConfigurationKey(0x100D_0001)
    /// Galileo's high-accuracy service is used.
    public static let usesGalileoHAS = ConfigurationKey(0x100D_0002)
    /// USB.
    public static let usbEnabled = ConfigurationKey(0x1065_0001)
    /// The time pulse.
    public static let timePulseEnabled = ConfigurationKey(0x1005_0007)
    /// Microseconds, without a fix.
    public static let timePulsePeriod = ConfigurationKey(0x4005_0002)
    /// Microseconds, with a fix.
    public static let timePulsePeriodLocked = ConfigurationKey(0x4005_0003)
    /// Microseconds, with a fix.
    public static let timePulseLengthLocked = ConfigurationKey(0x4005_0005)
    /// 0 UTC, 1 GPS, 2 GLONASS, 3 BeiDou, 4 Galileo.
    public static let timePulseTimeGrid = ConfigurationKey(0x2005_000C)
    /// 1 if the rising edge is the second.
    public static let timePulsePolarity = ConfigurationKey(0x1005_000B)
    /// 0 off, 1 survey-in, 2 fixed position.
    public static let surveyMode = ConfigurationKey(0x2003_0001)
    /// Locks the configuration; in flash for good. Never set.
    public static let configurationLock = ConfigurationKey(0x10F6_0009)

    /// Names as u-blox spells them.
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
