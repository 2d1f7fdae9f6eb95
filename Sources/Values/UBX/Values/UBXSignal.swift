// SPDX-License-Identifier: MIT
import GNSS

extension Constellation {
    /// Returns the NMEA 4.11 signal ID for u-blox's `sigId` of this constellation; `nil` if there
    /// is none.
    package func nmeaSignal(ofUBX signal: UInt8) -> UInt8? {
        switch (self, signal) {
        case (.gps, 0): 1  // L1 C/A
        case (.gps, 3): 6  // L2 CL
        case (.gps, 4): 5  // L2 CM
        case (.gps, 6): 7  // L5 I
        case (.gps, 7): 8  // L5 Q
        case (.sbas, 0): 1  // L1 C/A
        case (.galileo, 0), (.galileo, 1): 7  // E1
        case (.galileo, 3), (.galileo, 4): 1  // E5a
        case (.galileo, 5), (.galileo, 6): 2  // E5b
        case (.galileo, 8), (.galileo, 9): 5  // E6
        case (.beiDou, 0), (.beiDou, 1): 1  // B1I
        case (.beiDou, 2), (.beiDou, 3): 0xB  // B2I
        case (.beiDou, 4), (.beiDou, 10): 8  // B3I
        case (.beiDou, 5), (.beiDou, 6): 3  // B1C
        case (.beiDou, 7), (.beiDou, 8): 5  // B2a
        case (.qzss, 0): 1  // L1 C/A
        case (.qzss, 1): 4  // L1 S
        case (.qzss, 4): 5  // L2 CM
        case (.qzss, 5): 6  // L2 CL
        case (.qzss, 8): 7  // L5 I
        case (.qzss, 9): 8  // L5 Q
        case (.glonass, 0): 1  // L1
        case (.glonass, 2): 3  // L2
        case (.navIC, 0): 1  // L5
        default: nil
        }
    }
}
