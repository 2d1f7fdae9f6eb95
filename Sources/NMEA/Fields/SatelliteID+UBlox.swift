// SPDX-License-Identifier: MIT
public import GNSS

extension SatelliteID {
    /// The satellite that u-blox's single-number scheme means, as in PUBX,03; `nil` for a GLONASS
    /// satellite whose slot is unknown (255) and for numbers outside the scheme.
    public init?(uBloxNumber number: Int) {
        let id: SatelliteID? =
            switch number {
            case 1...32: SatelliteID(.gps, number)
            case 33...64: SatelliteID(.beiDou, number - 27)
            case 65...96: SatelliteID(.glonass, number - 64)
            case 120...158: SatelliteID(.sbas, number)
            case 159...163: SatelliteID(.beiDou, number - 158)
            case 193...202: SatelliteID(.qzss, number - 192)
            case 211...246: SatelliteID(.galileo, number - 210)
            default: nil
            }
        guard let id else { return nil }
        self = id
    }
}
