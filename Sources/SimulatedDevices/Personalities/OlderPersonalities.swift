// SPDX-License-Identifier: MIT
import Devices
import GNSS

extension Personality {
    /// No receiver in particular: GPS and GLONASS, with the errors that it believes it has.
    ///
    ///     $GNRMC,…,S,V  $GNVTG  $GNGGA  $GNGST  $GNGSA,…,1  $GNGSA,…,2  $GPGSV,…,1  $GLGSV,…,1  $GNGLL
    public static let generic: Personality = {
        var it = Personality(
            name: "generic", summary: "no receiver in particular, at any rate: GPS, GLONASS",
            cycle: [.rmc, .vtg, .gga, .gst, .gsa, .gsv, .gll])
        it.version = .v4_10
        it.constellations = [.gps, .glonass]
        it.decimals.deviation = 2
        it.mostCounted = 12
        it.maximumRate = 1000
        return it
    }()

    /// GPS alone before there were mode letters: only GGA's quality says that it is simulated.
    public static let nmea20: Personality = {
        var it = Personality.nmea23
        it.name = "nmea20"
        it.summary = "plain NMEA 2.0, GPS, 4800 baud, no mode letters"
        it.version = .v2_0
        it.decimals.seconds = 0
        it.decimals.minutes = 3
        return it
    }()

    /// GPS alone, and no more than NMEA 2.3 says of it.
    public static let nmea23: Personality = {
        var it = Personality(
            name: "nmea23", summary: "plain NMEA 2.3, GPS, 4800 baud",
            cycle: [.gga, .gll, .gsa, .gsv, .rmc, .vtg])
        it.version = .v2_3
        it.decimals.minutes = 4
        it.decimals.speed = 1
        it.decimals.course = 1
        it.decimals.dilution = 1
        it.mostCounted = 12
        it.baudRate = .nmea
        return it
    }()

    /// SiRF III, as in the BU-353: 4800 baud, lists of satellites every fifth second.
    ///
    ///     $PSRFTXT,Version:…
    ///     $GPGGA  $GPGSA  [$GPGSV…]  $GPRMC
    public static let sirf3: Personality = {
        var it = Personality(
            name: "sirf3", summary: "SiRF III (BU-353): NMEA 2.3, GPS, 4800 baud",
            cycle: [.gga, .gsa, .gsv, .rmc])
        it.version = .v2_3
        it.constellations = [.gps, .sbas]
        it.decimals.seconds = 3
        it.decimals.minutes = 4
        it.decimals.speed = 2
        it.decimals.dilution = 1
        it.viewPeriod = 5
        it.mostCounted = 12
        it.startUp = ["PSRFTXT,Version:SIMULATED", "PSRFTXT,TOW: 0", "PSRFTXT,WK: 0"]
        it.baudRate = .nmea
        return it
    }()

    /// SiRF IV with GLONASS, as in the BU-353 of 2014: GGA and ZDA still call themselves GPS.
    ///
    ///     $GPGGA,081416.000,5541.1967,N,03737.2926,E,8,06,2.56,66.2,M,14.5,M,,*hh
    ///     $GNGSA  $GNGSA  [$GPGSV… $GLGSV…]  $GNRMC  $GPZDA
    public static let sirf4: Personality = {
        var it = Personality(
            name: "sirf4", summary: "SiRF IV (BU-353S4): NMEA 2.3, GPS, GLONASS, 4800 baud",
            cycle: [.gga, .gsa, .gsv, .rmc, .zda])
        it.version = .v2_3
        it.constellations = [.gps, .glonass]
        it.decimals = Personality.sirf3.decimals
        it.decimals.dilution = 2
        it.talkers = [.gga: "GP", .zda: "GP"]
        it.viewPeriod = 5
        it.startUp = ["PSRFTXT,Version:SIMULATED", "PSRFTXT,TOW: 0", "PSRFTXT,WK: 0"]
        it.baudRate = .nmea
        it.maximumRate = 5
        return it
    }()

    /// Garmin's handhelds: whole seconds, three digits of minutes, errors and feet of its own.
    ///
    ///     $GPRMC,225310,A,4527.458,S,…  $GPGGA  $GPGSA  $GPGSV…  $PGRME,9.1,M,15.0,M,12.0,M  $GPGLL
    ///     $PGRMZ,48,f,3  $PGRMM,WGS 84
    public static let garmin: Personality = {
        var it = Personality(
            name: "garmin", summary: "Garmin handheld: NMEA 2.3, GPS, 4800 baud; PGRME, PGRMZ",
            cycle: [.rmc, .gga, .gsa, .gsv, .pgrme, .gll, .pgrmz, .pgrmm])
        it.version = .v2_3
        it.decimals.seconds = 0
        it.decimals.minutes = 3
        it.decimals.speed = 1
        it.decimals.course = 1
        it.decimals.dilution = 1
        it.mostCounted = 12
        it.baudRate = .nmea
        return it
    }()

    /// Trimble's surveying receivers: seven digits of minutes, GNS, and Trimble's own position.
    ///
    ///     $GNGNS,…,SSSN,…  $GPGST  $GNVTG  $GNZDA  $GNRMC  $GNGGA  $PTNL,GGK
    public static let trimble: Personality = {
        var it = Personality(
            name: "trimble",
            summary: "Trimble: NMEA 4.10, GNS, GST, seven digits of minutes; PTNL,GGK",
            cycle: [.gga, .gns, .rmc, .vtg, .zda, .gst, .gsa, .gsv, .ptnlGGK])
        it.constellations = [.gps, .glonass, .galileo]
        it.version = .v4_10
        it.decimals.minutes = 7
        it.decimals.altitude = 3
        it.decimals.deviation = 3
        it.baudRate = BaudRate(rawValue: 38_400) ?? .default
        it.maximumRate = 20
        return it
    }()
}
