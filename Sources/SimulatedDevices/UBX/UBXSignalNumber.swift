// SPDX-License-Identifier: MIT
import GNSS

/// Converts signals and GLONASS frequencies to the numbers in UBX messages.
enum UBXSignalNumber {
    /// The frequency channel of each GLONASS satellite, in the order of the slots 1 to 24.
    private static let channels: [Int8] = [
        1, -4, 5, 6, 1, -4, 5, 6, -2, -7, 0, -1, -2, -7, 0, -1, 4, -3, 3, 2, 4, -3, 3, 2,
    ]

    /// Returns u-blox's `sigId` for an NMEA 4.11 signal ID; 0 for the main signal of a
    /// constellation and for unknown signals.
    static func number(of signal: UInt8, _ constellation: Constellation) -> UInt8 {
        switch (constellation, signal) {
        case (.gps, 6): 3  // L2 CL
        case (.gps, 8): 7  // L5 Q
        case (.galileo, 1): 4  // E5a Q
        case (.galileo, 2): 6  // E5b Q
        case (.galileo, 5): 8  // E6 B
        case (.beiDou, 0xB): 2  // B2 I
        case (.beiDou, 3): 5  // B1 C
        case (.beiDou, 5): 7  // B2 a
        case (.beiDou, 8): 10  // B3 I
        case (.qzss, 6): 5  // L2 CL
        case (.qzss, 8): 9  // L5 Q
        case (.glonass, 3): 2  // L2
        default: 0
        }
    }

    /// Returns u-blox's `freqId`: the frequency channel plus 7 for a GLONASS satellite, otherwise
    /// 0.
    static func frequency(of id: SatelliteID) -> UInt8 {
        let index = Int(id.svid) - 1
        guard id.constellation == .glonass, channels.indices.contains(index) else { return 0 }
        return UInt8(channels[index] + 7)
    }
}
