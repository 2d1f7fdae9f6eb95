// SPDX-License-Identifier: MIT

/// What a receiver may speak besides NMEA, or instead.
package enum BinaryProtocol: String, CaseIterable, Sendable {
    /// u-blox's.
    case ubx = "UBX"
    /// Corrections.
    case rtcm3 = "RTCM 3"
    /// SiRF's.
    case sirf = "SiRF binary"
    /// Septentrio's.
    case sbf = "SBF"
    /// Trimble's, and with the same frame Garmin's.
    case dle = "TSIP or Garmin"

    /// What switches it to NMEA.
    var remedy: String {
        switch self {
        case .ubx:
            "switch NMEA on: `ubxtool -e NMEA` (package gpsd-clients) or u-blox's u-center"
        case .sirf:
            "switch it to NMEA: `gpsctl -n TTY` (package gpsd-clients), which sends SiRF's command"
        case .sbf: "switch NMEA on with Septentrio's RxTools or the receiver's web page"
        case .dle: "switch it to NMEA with its maker's program"
        case .rtcm3: "it is a reference station: switch NMEA on with its maker's program"
        }
    }
}
