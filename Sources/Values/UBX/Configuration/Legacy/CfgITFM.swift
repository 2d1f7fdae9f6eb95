// SPDX-License-Identifier: MIT

/// The settings of the jamming monitor, for chips up to M8: `CFG-ITFM`.
public struct CfgITFM: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x39)

    /// The thresholds of the jamming monitor. Bit 31 enables the monitor.
    public var configuration: UInt32 = 0
    /// Further settings. Bits 12 and 13 are the antenna type.
    public var configuration2: UInt32 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&configuration)
        coder.integer(&configuration2)
    }

    /// Whether jamming is monitored.
    public var isEnabled: Bool {
        get { configuration >> 31 == 1 }
        set { configuration = configuration & 0x7FFF_FFFF | (newValue ? 0x8000_0000 : 0) }
    }
}
