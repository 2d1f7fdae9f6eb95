// SPDX-License-Identifier: MIT

/// NMEA output, for chips up to M8: `CFG-NMEA`. Old chips have 4 or 12 bytes of it.
public struct CfgNMEA: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x17)

    /// Fixes that are left out.
    public var filter: UInt8 = 0
    /// `0x21`, `0x23`, `0x40`, `0x41` (4.10) or `0x4B` (4.11).
    public var nmeaVersion: UInt8 = 0x40
    /// Satellites per talker; 0 is unlimited.
    public var maximumSatellites: UInt8 = 0
    /// Bits: 0 compatible, 1 considered satellites, 2 at most 82 characters, 3 more decimals.
    public var flags: UInt8 = 0
    /// The constellations to leave out (four bytes), numbering of satellites, talkers; empty on old chips.
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
