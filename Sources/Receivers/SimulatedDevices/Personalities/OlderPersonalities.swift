// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import NMEA

extension Personality {
    /// A generic receiver: GPS and GLONASS, with error estimates.
    ///
    ///     $GNRMC,…,S,V  $GNVTG  $GNGGA  $GNGST  $GNGSA,…,1  $GNGSA,…,2  $GPGSV,…,1  $GLGSV,…,1  $GNGLL
    public static let generic = Personality(
        name: "generic",
        summary: "a generic receiver with any update rate: GPS, GLONASS",
        version: .v4_10,
        constellations: [.gps, .glonass],
        cycle: [.rmc, .vtg, .gga, .gst, .gsa, .gsv, .gll],
        decimals: SentenceDecimals(deviation: 2),
        maximumSatelliteCount: 12,
        maximumRate: 1000)

    /// A receiver with NMEA 2.0 and only GPS. This version has no mode letters, so only the quality
    /// in GGA marks the data as simulated.
    public static let nmea20 = Personality(
        name: "nmea20",
        summary: "plain NMEA 2.0, GPS, 4800 baud, no mode letters",
        version: .v2_0,
        cycle: [.gga, .gll, .gsa, .gsv, .rmc, .vtg],
        decimals: SentenceDecimals(seconds: 0, minutes: 3, speed: 1, course: 1, dilution: 1),
        maximumSatelliteCount: 12,
        baudRate: .nmea)

    /// A receiver with NMEA 2.3 and only GPS.
    public static let nmea23 = Personality(
        name: "nmea23",
        summary: "plain NMEA 2.3, GPS, 4800 baud",
        version: .v2_3,
        cycle: [.gga, .gll, .gsa, .gsv, .rmc, .vtg],
        decimals: SentenceDecimals(minutes: 4, speed: 1, course: 1, dilution: 1),
        maximumSatelliteCount: 12,
        baudRate: .nmea)

    /// SiRF III, as in the BU-353: 4800 baud, GSV every fifth second.
    ///
    ///     $PSRFTXT,Version:…
    ///     $GPGGA  $GPGSA  [$GPGSV…]  $GPRMC
    public static let sirf3 = Personality(
        name: "sirf3",
        summary: "SiRF III (BU-353): NMEA 2.3, GPS, 4800 baud",
        version: .v2_3,
        constellations: [.gps, .sbas],
        cycle: [.gga, .gsa, .gsv, .rmc],
        decimals: SentenceDecimals(seconds: 3, minutes: 4, speed: 2, dilution: 1),
        viewPeriod: 5,
        maximumSatelliteCount: 12,
        startUp: ["PSRFTXT,Version:SIMULATED", "PSRFTXT,TOW: 0", "PSRFTXT,WK: 0"],
        baudRate: .nmea)

    /// SiRF IV with GLONASS, as in the BU-353 of 2014: GGA and ZDA have the talker `GP`.
    ///
    ///     $GPGGA,081416.000,5541.1967,N,03737.2926,E,8,06,2.56,66.2,M,14.5,M,,*hh
    ///     $GNGSA  $GNGSA  [$GPGSV… $GLGSV…]  $GNRMC  $GPZDA
    public static let sirf4 = Personality(
        name: "sirf4",
        summary: "SiRF IV (BU-353S4): NMEA 2.3, GPS, GLONASS, 4800 baud",
        version: .v2_3,
        constellations: [.gps, .glonass],
        cycle: [.gga, .gsa, .gsv, .rmc, .zda],
        decimals: SentenceDecimals(seconds: 3, minutes: 4, speed: 2, dilution: 2),
        talkers: [.gga: .gps, .zda: .gps],
        viewPeriod: 5,
        startUp: ["PSRFTXT,Version:SIMULATED", "PSRFTXT,TOW: 0", "PSRFTXT,WK: 0"],
        baudRate: .nmea,
        maximumRate: 5)

    /// Garmin's handhelds: whole seconds, three decimals of minutes, proprietary errors and
    /// altitude in feet.
    ///
    ///     $GPRMC,225310,A,4527.458,S,…  $GPGGA  $GPGSA  $GPGSV…  $PGRME,9.1,M,15.0,M,12.0,M  $GPGLL
    ///     $PGRMZ,48,f,3  $PGRMM,WGS 84
    public static let garmin = Personality(
        name: "garmin",
        summary: "Garmin handheld: NMEA 2.3, GPS, 4800 baud; PGRME, PGRMZ",
        version: .v2_3,
        cycle: [.rmc, .gga, .gsa, .gsv, .pgrme, .gll, .pgrmz, .pgrmm],
        decimals: SentenceDecimals(seconds: 0, minutes: 3, speed: 1, course: 1, dilution: 1),
        maximumSatelliteCount: 12,
        baudRate: .nmea)

    /// Trimble's surveying receivers: seven decimals of minutes, GNS, and a proprietary position.
    ///
    ///     $GNGNS,…,SSSN,…  $GPGST  $GNVTG  $GNZDA  $GNRMC  $GNGGA  $PTNL,GGK
    public static let trimble = Personality(
        name: "trimble",
        summary: "Trimble: NMEA 4.10, GNS, GST, seven digits of minutes; PTNL,GGK",
        version: .v4_10,
        constellations: [.gps, .glonass, .galileo],
        cycle: [.gga, .gns, .rmc, .vtg, .zda, .gst, .gsa, .gsv, .ptnlGGK],
        decimals: SentenceDecimals(minutes: 7, altitude: 3, deviation: 3),
        baudRate: BaudRate(rawValue: 38_400) ?? .default,
        maximumRate: 20)
}
