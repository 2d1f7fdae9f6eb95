// SPDX-License-Identifier: MIT

/// SBAS, for chips up to M8: `CFG-SBAS`.
public struct CfgSBAS: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x16)

    /// Bits: 0 enabled, 1 test mode.
    public var mode: UInt8 = 0
    /// Bits: 0 ranging, 1 corrections, 2 integrity.
    public var usage: UInt8 = 0
    /// Satellites to track.
    public var maximumChannels: UInt8 = 3
    /// A bit for each of the satellites 152 to 158.
    public var scannedPRNs2: UInt8 = 0
    /// A bit for each of the satellites 120 to 151; 0 is all.
    public var scannedPRNs: UInt32 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&mode)
        coder.integer(&usage)
        coder.integer(&maximumChannels)
        coder.integer(&scannedPRNs2)
        coder.integer(&scannedPRNs)
    }
}
