// SPDX-License-Identifier: MIT
import GNSS

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
