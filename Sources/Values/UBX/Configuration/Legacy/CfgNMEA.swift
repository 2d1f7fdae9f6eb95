// SPDX-License-Identifier: MIT

/// The NMEA output settings, for chips up to M8: `CFG-NMEA`. On old chips, the message has only 4
/// or 12 bytes.
public struct CfgNMEA: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x17)

    /// A bit mask. Bits 0 and 1 enable the output of invalid positions, bit 2 of invalid times, bit
    /// 3 of invalid dates and bit 5 of a frozen course. Bit 4 limits the output to GPS satellites.
    public var filter: UInt8 = 0
    /// The NMEA version: `0x21`, `0x23`, `0x40`, `0x41` (4.10) or `0x4B` (4.11).
    public var nmeaVersion: UInt8 = 0x40
    /// The maximum number of satellites per talker; 0 is unlimited.
    public var maximumSatellites: UInt8 = 0
    /// The flags: bit 0 compatible mode, bit 1 counts considered satellites as used, bit 2 limits
    /// sentences to 82 characters, bit 3 enables more decimals.
    public var flags: UInt8 = 0
    /// The constellations to omit (four bytes), the numbering of satellites and the talkers. Empty
    /// on old chips.
    public var details: [UInt8] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&filter)
        coder.integer(&nmeaVersion)
        coder.integer(&maximumSatellites)
        coder.integer(&flags)
        coder.rest(&details)
    }
}
