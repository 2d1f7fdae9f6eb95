// SPDX-License-Identifier: MIT
import GNSS

/// The name of a device on an NMEA 2000 bus, a 64-bit number. If two devices claim the same
/// address, the device with the lower number keeps it.
package struct NMEA2000Name: Comparable, Hashable, Sendable {
    /// The manufacturer code of devices without an assigned one.
    private static let manufacturer: UInt64 = 2046
    /// The codes of a GNSS receiver (`function`), of navigation devices (`deviceClass`) and of the
    /// marine industry.
    private static let (function, deviceClass, marine): (UInt64, UInt64, UInt64) = (145, 60, 4)

    /// The 64 bits of the name, sent lowest byte first.
    package let rawValue: UInt64

    /// Creates a name from its number.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Creates the name of a marine GNSS receiver that can change its address. The lowest 21 bits
    /// of `uniqueNumber` must differ from those of every other device of this program.
    package init(uniqueNumber: UInt32) {
        rawValue =
            UInt64(uniqueNumber & 0x1F_FFFF) | Self.manufacturer << 21 | Self.function << 40
            | Self.deviceClass << 49 | Self.marine << 60 | 1 << 63
    }

    /// Reads the name from the bytes of a claim. Returns `nil` if there are fewer than eight.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8 else { return nil }
        rawValue = UInt64(littleEndianBytes: bytes.prefix(8))
    }

    /// The 21-bit number that distinguishes devices of the same manufacturer.
    package var uniqueNumber: UInt32 { UInt32(rawValue & 0x1F_FFFF) }

    /// The bytes of an address claim with this name.
    package var bytes: [UInt8] { rawValue.littleEndianBytes }

    package static func < (a: NMEA2000Name, b: NMEA2000Name) -> Bool { a.rawValue < b.rawValue }
}
