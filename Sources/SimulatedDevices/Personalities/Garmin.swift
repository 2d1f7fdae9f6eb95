// SPDX-License-Identifier: MIT
import Devices
import GNSS

extension Personality {
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
}
