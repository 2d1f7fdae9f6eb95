// SPDX-License-Identifier: MIT
import GNSS

extension NMEA2000Message {
    /// The maximum number of satellites in a message.
    private static let satelliteLimit = 18

    /// Returns the message with the satellites in view (129540): first the satellites used, then
    /// the others, each group sorted by signal strength (strongest first). Satellites without an
    /// unambiguous number are omitted.
    static func satellites(_ view: SatelliteView, sequence: UInt8) -> NMEA2000Message {
        let numbered = view.satellites.compactMap { satellite in
            number(of: satellite.id).map { (satellite: satellite, number: $0) }
        }
        let sorted = numbered.sorted { a, b in
            let (a, b) = (a.satellite, b.satellite)
            return a.isUsed != b.isUsed ? a.isUsed : (a.cn0 ?? -1) > (b.cn0 ?? -1)
        }.prefix(satelliteLimit)
        var fields = NMEA2000Fields()
        fields.add(byte: sequence)
        fields.add(bits: [(nil, 2), (nil, 6)])
        fields.add(Int64(sorted.count), bytes: 1)
        for (satellite, number) in sorted { fields.add(satellite, number) }
        return NMEA2000Message(.satellites, fields.bytes)
    }

    /// Returns the number of a satellite: GPS from 1, SBAS from 33, GLONASS from 65, QZSS from 193;
    /// `nil` for other constellations.
    private static func number(of id: SatelliteID) -> UInt8? {
        switch id.constellation {
        case .gps where id.svid <= 32: id.svid
        case .sbas where 120...151 ~= id.svid: id.svid - 87
        case .glonass where id.svid <= 32: id.svid + 64
        case .qzss where id.svid <= 10: id.svid + 192
        default: nil
        }
    }
}

extension NMEA2000Fields {
    fileprivate mutating func add(_ satellite: Satellite, _ number: UInt8) {
        let system: UInt8? =
            switch satellite.id.constellation {
            case .gps: 0
            case .glonass: 1
            case .qzss: 4
            default: nil
            }
        let status: UInt8 = satellite.isUsed ? 2 : satellite.cn0 == nil ? 0 : 1
        add(byte: number)
        add(satellite.elevation?.radians, perUnit: 1e4, signed: true, bytes: 2)
        add(satellite.azimuth?.radians, perUnit: 1e4, bytes: 2)
        add(satellite.cn0, perUnit: 100, signed: true, bytes: 2)
        add(nil as Int64?, signed: true, bytes: 4)
        add(bits: [(status, 4), (system, 4)])
    }
}
