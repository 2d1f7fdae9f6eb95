// SPDX-License-Identifier: MIT
import GNSS

/// How the object of each satellite begins: `{"PRN":301,"gnssid":2,"svid":1`.
struct SatelliteHeads: Sendable {
    /// Made once: there are a few hundred satellites at the most.
    static let all = SatelliteHeads()

    /// Two pieces for each number of each constellation.
    private var pieces: [(JSONPiece, JSONPiece)] = []

    private init() {
        for constellation in Constellation.allCases {
            for number in 0...255 {
                guard let id = SatelliteID(constellation, number) else {
                    pieces.append(("", ""))
                    continue
                }
                let text =
                    "{\"PRN\":\(id.nmeaNumber),\"gnssid\":\(constellation.gnssID),\"svid\":\(number)"
                let bytes = Array(text.utf8)
                pieces.append((JSONPiece(bytes.prefix(16)), JSONPiece(bytes.dropFirst(16))))
            }
        }
    }

    subscript(id: SatelliteID) -> (JSONPiece, JSONPiece) {
        pieces[Int(id.constellation.rawValue) << 8 | Int(id.svid)]
    }
}
