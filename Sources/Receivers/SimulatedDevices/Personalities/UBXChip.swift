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
        unknownMessages: highPrecisionMessages.union(messagesFromM10).union([NavSOL.id]),
        ownKeys: [0x1041_000D: 0, 0x2041_0001: 3, 0x2041_0002: 15], minimumPeriod: 25)

    /// u-blox M10, without flash.
    static let generation10 = UBXChip(
        navigation: fromM9, monitoring: [MonRF.id],
        version: version(
            "ROM SPG 5.10 (7b202e)", "000A0000",
            ["FWVER=SPG 5.10", "PROTVER=34.10", "GPS;GLO;GAL;BDS", "SBAS;QZSS"]),
        identityVersion: 2, dialect: .database, baudRate: 38_400,
        constellations: fourAndQZSS, sharesBeiDouBand: true, signals: firstBand + ["BDS_B1C"],
        disabledSignals: ["BDS_B1C"], unknownMessages: highPrecisionMessages.union([NavSOL.id]),
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
        $0.unknownMessages = [RxmCOR.id, NavSOL.id]
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
            0x2003_0001: 0,
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
    private static let messagesFromM10: Set = [RxmCOR.id, SecSIG.id, SecSIGLOG.id, NavPL.id]
    private static let newMessages = highPrecisionMessages.union(messagesFromM10).union([
        NavSIG.id, NavCOV.id, NavEELL.id, NavPVAT.id, MonRF.id, MonCOMMS.id, MonSPAN.id,
        UBXMessageID(0x29, 0x07),
    ])
    private static let unknownTo7 = newMessages.union([NavSAT.id, NavEOE.id, RxmSFRBX.id])
}
