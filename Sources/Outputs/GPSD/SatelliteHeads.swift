// SPDX-License-Identifier: MIT
import GNSS

/// How the object of each satellite begins: `{"PRN":301,"gnssid":2,"svid":1`.
///
/// Made once: written anew, its three numbers cost 8 % of `convert --to json`.
struct SatelliteHeads: Sendable {
    static let all = SatelliteHeads()

    private let texts: [[UInt8]]

    private init() {
        texts = Constellation.allCases.flatMap { constellation in
            (0...255).map { number in
                guard let id = SatelliteID(constellation, number) else { return [] }
                let gnssID = constellation.gnssID
                return Array(
                    "{\"PRN\":\(id.nmeaNumber),\"gnssid\":\(gnssID),\"svid\":\(number)".utf8)
            }
        }
    }

    subscript(id: SatelliteID) -> [UInt8] {
        texts[Int(id.constellation.rawValue) << 8 | Int(id.svid)]
    }
}
