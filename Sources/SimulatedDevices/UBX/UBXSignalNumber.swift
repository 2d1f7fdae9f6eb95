// SPDX-License-Identifier: MIT
import GNSS

/// u-blox's numbers of signals.
enum UBXSignalNumber {
    /// The channels of GLONASS by slot, from 1.
    private static let channels: [Int8] = [
        1, -4, 5, 6, 1, -4, 5, 6, -2, -7, 0, -1, -2, -7, 0, -1, 4, -3, 3, 2, 4, -3, 3, 2,
    ]

    /// Returns the `sigId` of a signal of NMEA 4.11 that a u-blox receives.
    static func number(of signal: UInt8, _ constellation: Constellation) -> UInt8 {
        switch (constellation, signal) {
        case (.gps, 6): 3  // L2 CL
        case (.galileo, 2): 6  // E5b Q
        case (.beiDou, 0xB): 2  // B2 I
        case (.qzss, 6): 5  // L2 CL
        case (.glonass, 3): 2  // L2
        default: 0
        }
    }

    /// Returns the `freqId`: the channel of a GLONASS satellite plus 7, otherwise 0.
    static func frequency(of id: SatelliteID) -> UInt8 {
        let index = Int(id.svid) - 1
        guard id.constellation == .glonass, channels.indices.contains(index) else { return 0 }
        return UInt8(channels[index] + 7)
    }
}
