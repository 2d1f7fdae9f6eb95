// SPDX-License-Identifier: MIT

/// Reports that an RTCM message was received: `RXM-RTCM`.
public struct RxmRTCM: UBXMessage {
    public static let id = UBXMessageID(0x02, 0x32)

    /// Whether the message was valid, and whether the receiver used it.
    public struct Flags: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the CRC of the RTCM message was wrong.
        public var isDamaged: Bool { rawValue.hasBit(0) }
        /// Whether the receiver used the message: 0 unknown, 1 not used, 2 used.
        public var use: UInt8 { rawValue.bits(1...2) }
    }

    /// The version of the message.
    public var version: UInt8 = 0
    /// Whether the message was valid, and whether the receiver used it.
    public var flags = Flags(rawValue: 0)
    /// The subtype, if the RTCM message type is 4072.
    public var subtype: UInt16 = 0
    /// The id of the base station.
    public var referenceStation: UInt16 = 0
    /// The RTCM message type.
    public var type: UInt16 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.value(&flags)
        coder.integer(&subtype)
        coder.integer(&referenceStation)
        coder.integer(&type)
    }
}
