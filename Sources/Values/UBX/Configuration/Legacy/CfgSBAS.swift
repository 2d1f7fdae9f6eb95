// SPDX-License-Identifier: MIT

/// The SBAS settings, for chips up to M8: `CFG-SBAS`.
public struct CfgSBAS: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x16)

    /// The mode: bit 0 enables SBAS, bit 1 enables the test mode.
    public var mode: UInt8 = 0
    /// The uses of SBAS: bit 0 ranging, bit 1 corrections, bit 2 integrity.
    public var usage: UInt8 = 0
    /// The maximum number of satellites to track.
    public var maximumChannels: UInt8 = 3
    /// The satellites to search for, with one bit for each PRN from 152 to 158.
    public var scannedPRNs2: UInt8 = 0
    /// The satellites to search for, with one bit for each PRN from 120 to 151. 0 means all.
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
