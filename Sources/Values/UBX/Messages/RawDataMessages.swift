// SPDX-License-Identifier: MIT

/// Reports that a correction message was received: `RXM-COR`, from M10, F10 and X20.
public struct RxmCOR: UBXMessage {
    public static let id = UBXMessageID(0x02, 0x34)

    /// The source of the correction message, and how the receiver used it.
    public struct Status: UBXValue {
        public var rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// The protocol: 1 RTCM 3, 2 SPARTN, 29 PMP (SPARTN), 30 QZSS L6.
        public var source: UInt32 { rawValue.bits(0...4) }
        /// Whether the message had errors: 0 unknown, 1 none, 2 damaged.
        public var errors: UInt32 { rawValue.bits(5...6) }
        /// Whether the receiver used the message: 0 unknown, 1 not used, 2 used.
        public var use: UInt32 { rawValue.bits(7...8) }
        /// The id of the base station or service.
        public var station: UInt32 { rawValue.bits(9...24) }
        /// Whether `type` is valid.
        public var hasType: Bool { rawValue.hasBit(25) }
        /// Whether `subtype` is valid.
        public var hasSubtype: Bool { rawValue.hasBit(26) }
        /// Whether the host sent the correction message.
        public var isFromHost: Bool { rawValue.hasBit(27) }
        /// Whether the message was encrypted: 0 unknown, 1 not encrypted, 2 encrypted.
        public var encryption: UInt32 { rawValue.bits(28...29) }
        /// Whether the message was decrypted: 0 unknown, 1 not decrypted, 2 decrypted.
        public var decryption: UInt32 { rawValue.bits(30...31) }
    }

    /// The version of the message.
    public var version: UInt8 = 0
    /// The Eb/N0 of corrections from a satellite, in decibels.
    public var signalToNoise: Double = 0
    /// The source of the correction message, and how the receiver used it.
    public var status = Status(rawValue: 0)
    /// The type of the correction message.
    public var type: UInt16 = 0
    /// The subtype of the correction message.
    public var subtype: UInt16 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.scaled(&signalToNoise, UInt8.self, per: 8)
        coder.reserved(2)
        coder.value(&status)
        coder.integer(&type)
        coder.integer(&subtype)
    }
}
