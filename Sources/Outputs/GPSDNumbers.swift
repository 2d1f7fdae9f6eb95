// SPDX-License-Identifier: MIT
import GNSS
import NMEA

extension Constellation {
    /// gpsd's `gnssid`, which is u-blox's.
    var gnssID: Int {
        switch self {
        case .gps: 0
        case .sbas: 1
        case .galileo: 2
        case .beiDou: 3
        case .qzss: 5
        case .glonass: 6
        case .navIC: 7
        }
    }
}

extension SatelliteID {
    /// gpsd's `PRN`: one number for all constellations.
    var nmeaNumber: Int {
        let number = Int(svid)
        return switch constellation {
        case .gps: number
        case .sbas: number <= 151 ? number - 87 : number
        case .glonass: number + 64
        case .qzss: number + 192
        case .galileo: number + 300
        case .beiDou: number + 400
        case .navIC: number + 500
        }
    }
}

extension [UInt8] {
    /// Appends `2026-03-23T12:35:19.000Z`.
    mutating func append(iso8601 instant: UTCTime) {
        append(integer: instant.date.year, width: 4)
        append(UInt8(ascii: "-"))
        append(integer: instant.date.month, width: 2)
        append(UInt8(ascii: "-"))
        append(integer: instant.date.day, width: 2)
        append(UInt8(ascii: "T"))
        append(integer: instant.time.hour, width: 2)
        append(UInt8(ascii: ":"))
        append(integer: instant.time.minute, width: 2)
        append(UInt8(ascii: ":"))
        append(integer: instant.time.second, width: 2)
        append(UInt8(ascii: "."))
        append(integer: instant.time.nanosecond / 1_000_000, width: 3)
        append(UInt8(ascii: "Z"))
    }
}
