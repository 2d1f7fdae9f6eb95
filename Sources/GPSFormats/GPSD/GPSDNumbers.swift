// SPDX-License-Identifier: MIT
import GNSS

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
