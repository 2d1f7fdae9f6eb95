// SPDX-License-Identifier: MIT
import UBX

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
    /// The settings and configuration messages that the chip supports.
    var configuration = Configuration()

    /// A frequency band, with the noise level and the AGC value that the chip reports for it under
    /// open sky.
    struct Band: Hashable, Sendable {
        /// The number of the band: 0 for L1, 1 for L2.
        var number: UInt8
        var noise: UInt16
        var gain: UInt16
    }
}

extension UBXChip {
    // The version texts are those of real chips. A last line, `SIMULATED`, is added, because UBX
    // has no field for simulated data.

    /// u-blox 6, which has no `NAV-PVT`. No message marks the end of an epoch, and `MON-VER`
    /// contains no protocol version.
    static let generation6 = UBXChip(
        navigation: [
            NavPOSLLH.id, NavDOP.id, NavSOL.id, NavVELNED.id, NavTIMEUTC.id, NavSVINFO.id,
        ], monitoring: [MonHW.id],
        version: version("7.03 (45969)", "00040007", []), hasLongPVT: false, confirmsTime: false,
        configuration: .generation6)

    /// u-blox 7. `NAV-PVT` is sent after `NAV-DOP`, as in older firmware. No message marks the end
    /// of an epoch.
    static let generation7 = UBXChip(
        navigation: [NavDOP.id, NavPVT.id, NavSVINFO.id], monitoring: [MonHW.id],
        version: version("1.00 (59842)", "00070000", ["PROTVER 14.00"]), hasLongPVT: false,
        confirmsTime: false, configuration: .generation7)

    /// u-blox 8 and M8.
    static let generation8 = UBXChip(
        navigation: [NavPVT.id, NavSAT.id, NavDOP.id, NavEOE.id], monitoring: [MonHW.id],
        version: version(
            "ROM CORE 3.01 (107888)", "00080000",
            ["FWVER=SPG 3.01", "PROTVER=18.00", "GPS;GLO;GAL;BDS", "SBAS;IMES;QZSS"]),
        identityVersion: 1, confirmsTime: false, configuration: .generation8)

    /// u-blox M9.
    static let generation9 = UBXChip(
        navigation: fromM9, monitoring: [MonRF.id],
        version: version(
            "EXT CORE 4.04 (7f89f7)", "00190000",
            [
                "ROM BASE 0x118B2060", "FWVER=SPG 4.04", "PROTVER=32.01", "MOD=NEO-M9N",
                "GPS;GLO;GAL;BDS", "SBAS;QZSS",
            ]), identityVersion: 1, configuration: .generation9)

    /// u-blox M10.
    static let generation10 = UBXChip(
        navigation: fromM9, monitoring: [MonRF.id],
        version: version(
            "ROM SPG 5.10 (7b202e)", "000A0000",
            ["FWVER=SPG 5.10", "PROTVER=34.10", "GPS;GLO;GAL;BDS", "SBAS;QZSS"]),
        identityVersion: 2, configuration: .generation10)

    /// ZED-F9P with firmware HPG 1.50.
    static let f9p = highPrecision(
        version(
            "EXT CORE 1.00 (f17067)", "00190000",
            [
                "ROM BASE 0x118B2060", "FWVER=HPG 1.50", "PROTVER=27.50", "MOD=ZED-F9P",
                "GPS;GLO;GAL;BDS", "SBAS;QZSS",
            ]), identityVersion: 1, .f9p)

    /// ZED-X20P with firmware HPG 2.10.
    static let x20p = highPrecision(
        version(
            "EXT HPG 2.10 (b0dac3)", "000B0000",
            [
                "ROM BASE 0x0A9D3929", "FWVER=HPG 2.10", "PROTVER=50.11", "MOD=ZED-X20P",
                "GPS;GLO;GAL;BDS", "SBAS;QZSS",
            ]), identityVersion: 2, .x20p)

    /// The navigation messages of M9 and M10.
    private static let fromM9 = [
        NavPVT.id, NavSAT.id, NavSIG.id, NavDOP.id, NavCOV.id, NavEOE.id,
    ]

    /// Returns a chip with centimetre precision whose front end has two bands.
    private static func highPrecision(
        _ version: MonVER, identityVersion: UInt8, _ configuration: Configuration
    ) -> UBXChip {
        UBXChip(
            navigation: [
                NavPVT.id, NavSAT.id, NavSIG.id, NavSTATUS.id, NavHPPOSLLH.id, NavDOP.id, NavCOV.id,
                NavPL.id, NavEOE.id,
            ],
            monitoring: [MonRF.id, SecSIG.id], version: version, identityVersion: identityVersion,
            bands: [
                Band(number: 0, noise: 92, gain: 1404), Band(number: 1, noise: 74, gain: 2280),
            ],
            reportsJammingInSecSIG: true, configuration: configuration)
    }

    /// Returns a clone that reports a version of u-blox 5 and refuses or ignores configuration.
    static func clone(_ dialect: Configuration.Dialect) -> UBXChip {
        var configuration = Configuration.generation7
        configuration.dialect = dialect
        return UBXChip(
            navigation: [], monitoring: [], version: version("5.00", "00040005", []),
            configuration: configuration)
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
}
